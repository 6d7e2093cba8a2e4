//! The report in a real browser: it asks nobody for anything, runs nothing that a reply says, can be read at every width, in
//! light, in dark and on paper, and can be walked through with the keyboard alone.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::PathBuf;

use super::browser::Browser;
use super::harness::Folder;

/// Replies that would like to be more than text; `PORT` is where they would like to call.
const HOSTILE: &str = r#"
replies:
  - {kind: question, reply: {action: question, question: "<img src=http://127.0.0.1:PORT/q onerror='document.title=1'> Which way?", participants: all, focus: "</title><script>document.title='ran'</script>"}}
  - {kind: response, seat: software-architect, reply: {position: "<script>window.ran=1;document.title='ran'</script>\n\n<iframe src=http://127.0.0.1:PORT/f></iframe>\n\n![p](http://127.0.0.1:PORT/p.png)\n\n[click](javascript:window.ran=1) [also](data:text/html,x) [fine](https://example.org/)", rationale: ["</style><style>*{background:url(http://127.0.0.1:PORT/s)}</style>", "&lt;script&gt;window.ran=1&lt;/script&gt; &#60;b>"], confidence: 0.8, concerns: ["\u202Eevil\u202C \u0007bell"], votes: {C1.1: support}}}
  - {kind: response, seat: technical-lead, reply: {position: "LONGWORD", rationale: ["'\" onmouseover=window.ran=1 x='"], confidence: 0.45, votes: {C1.1: {choice: block, reason: "<svg onload=window.ran=1>"}}}}
  - {kind: response, reply: {position: "<details open ontoggle=window.ran=1><summary>x", rationale: ["</details></section></main>"], confidence: 0.7, votes: {C1.1: stand_aside}}}
  - {round: 1, kind: synthesis, reply: {action: synthesis, synthesis: "<link rel=stylesheet href=http://127.0.0.1:PORT/l> <meta http-equiv=refresh content='0;url=http://127.0.0.1:PORT/m'>", consensus: ["<object data=http://127.0.0.1:PORT/o>Use REST</object>"], conflicts: [{id: style, description: "<base href=http://127.0.0.1:PORT/>", positions: {technical-lead: "<form action=http://127.0.0.1:PORT/><button autofocus>x"}}], next_action: continue, next_focus: Costs}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: "--> ]]> */ }", next_action: conclude, recommendation: "<style>@import url(http://127.0.0.1:PORT/i)</style> Use REST", output_type: adr}}
"#;

/// A listener that nobody should call.
fn ear() -> (TcpListener, u16) {
    let ear = TcpListener::bind("127.0.0.1:0").unwrap();
    ear.set_nonblocking(true).unwrap();
    let port = ear.local_addr().unwrap().port();
    (ear, port)
}

fn was_called(ear: &TcpListener) -> bool {
    match ear.accept() {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::WouldBlock);
            false
        }
    }
}

/// The report of a session with hostile replies.
fn hostile(folder: &Folder, port: u16) -> PathBuf {
    let script = HOSTILE.replace("PORT", &port.to_string()).replace("LONGWORD", &"W".repeat(100_000));
    folder.write("hostile.yaml", script);
    let topic = "Which <script>document.title='ran'</script> API, & \"why\"?";
    let seats = "software-architect,technical-lead,qa-lead";
    let start = ["roundtable", "start", topic, "--panel", "script:hostile.yaml", "--strategy", "standard"];
    let more = ["--participants", seats, "--yes", "--max-rounds", "4", "--on-escalation", "accept"];
    folder.run(&[&start[..], &more[..]].concat()).ok();
    folder.run(&["report", "-o", "hostile.html"]).ok();
    folder.path().join("hostile.html")
}

#[test]
fn a_hostile_session_calls_nobody_and_runs_nothing() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = Folder::project();
    let (ear, port) = ear();
    let page = hostile(&folder, port);
    browser.visit_file(&page);
    assert_eq!(browser.requests(), [format!("file://{}", page.display())]);
    assert!(!was_called(&ear));
    assert_eq!(browser.value("typeof window.ran"), "undefined");
    assert_eq!(browser.value("document.scripts.length"), 0);
    let title = "Which <script>document.title='ran'</script> API, & \"why\"? · s2s report";
    assert_eq!(browser.value("document.title"), title);
    let alive = "img, iframe, object, embed, link, base, form, input, button, video, audio, [style], [src], [onload]";
    assert_eq!(browser.value(&format!("document.querySelectorAll({alive:?}).length")), 0);
    assert_eq!(browser.value("document.querySelectorAll('style').length"), 1);
    let links = "[...document.links].map(a => a.protocol).filter(p => !['file:', 'https:'].includes(p)).length";
    assert_eq!(browser.value(links), 0);
    assert!(browser.value("document.body.textContent").as_str().unwrap().contains("<script>window.ran=1;"));
    // Unfolded too, nothing happens: what is folded is only not shown.
    browser.value("document.querySelectorAll('details').forEach(one => one.open = true)");
    assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), true);
    assert_eq!(browser.value("typeof window.ran"), "undefined");

    // The same words as a page of their own do call and do run: the browser would have told.
    folder.write("control.html", format!("<script>window.ran=1</script><img src='http://127.0.0.1:{port}/x'>"));
    browser.go(&format!("file://{}", folder.path().join("control.html").display()));
    browser.until(|browser| browser.requests().iter().any(|url| url.contains(&port.to_string())));
    assert_eq!(browser.value("window.ran"), 1);
    ear.set_nonblocking(false).unwrap();
    ear.accept().unwrap();
}

/// The least contrast of any text that is seen, with the text.
const CONTRAST: &str = r#"(() => {
  const light = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05; };
  const rgb = text => text.match(/[\d.]+/g).map(Number);
  const ground = one => { for (; one; one = one.parentElement) { const c = rgb(getComputedStyle(one).backgroundColor); if (c.length < 4 || c[3] === 1) return c.slice(0, 3); } return [255, 255, 255]; };
  let least = [99, 'nothing'];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !one.checkVisibility()) continue;
    const style = getComputedStyle(one), colour = one.closest('svg') ? style.fill : style.color;
    const [a, b] = [light(rgb(colour)), light(ground(one))];
    const ratio = Math.max(a, b) / Math.min(a, b);
    if (ratio < least[0]) least = [ratio, texts.currentNode.data.slice(0, 40) + ' ' + one.className];
  }
  return least;
})()"#;

/// A report with a bit of everything.
fn varied(folder: &Folder) -> PathBuf {
    folder.write("varied.yaml", super::varied::VARIED);
    let start = ["roundtable", "start", "REST or GraphQL for partners?", "--panel", "script:varied.yaml"];
    let more = ["--strategy", "standard", "--participants", "software-architect,technical-lead,qa-lead"];
    let rest = ["--yes", "--max-rounds", "6", "--on-escalation", "accept"];
    folder.run(&[&start[..], &more[..], &rest[..]].concat()).ok();
    folder.run(&["report", "-o", "varied.html"]).ok();
    folder.path().join("varied.html")
}

#[test]
fn the_report_can_be_read_at_every_width_in_light_in_dark_and_on_paper() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = Folder::project();
    let page = varied(&folder);
    // 673 pixels are what a page of A4 leaves between its margins.
    let (screens, paper) = ([360, 800, 1280], [673]);
    let looks = [
        ("screen", "light", &screens[..]),
        ("screen", "dark", &screens),
        ("print", "light", &paper),
        ("print", "dark", &paper),
    ];
    for (medium, scheme, widths) in looks {
        for width in widths.iter().copied() {
            let name = format!("{medium}-{scheme}-{width}");
            browser.look(width, medium, scheme);
            browser.visit("about:blank");
            let blank = browser.picture("blank").len();
            browser.visit_file(&page);
            let seen = browser.picture(&name).len();
            assert!(seen > blank * 8, "{name}: {seen} bytes, {blank} if blank");
            browser.value("document.querySelectorAll('details').forEach(one => one.open = true)");
            browser.picture(&format!("{name}-open"));
            let overflow = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(overflow, 0, "{name}");
            let least = browser.value(CONTRAST);
            assert!(least[0].as_f64().unwrap() >= 4.5, "{name}: {least}");
        }
    }
}

#[test]
fn on_paper_everything_folded_is_open() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = Folder::project();
    let page = varied(&folder);
    let shown = "[...document.querySelectorAll('details > :not(summary)')].filter(one => one.checkVisibility({ contentVisibilityAuto: true }) && one.getBoundingClientRect().height > 0).length";
    let folded = "document.querySelectorAll('details > :not(summary)').length";
    browser.look(800, "screen", "light");
    browser.visit_file(&page);
    // What is folded is skipped only once the page has been drawn.
    browser.picture("folded");
    assert_eq!(browser.value(shown), 0, "folded on the screen");
    browser.look(800, "print", "light");
    browser.picture("unfolded");
    let (shown, folded) = (browser.value(shown), browser.value(folded));
    assert!(folded.as_u64().unwrap() > 10, "{folded}");
    assert_eq!(shown, folded, "unfolded on paper");
    let pdf = browser.printed("varied");
    assert!(pdf.starts_with("JVBERi"), "a PDF");
}

#[test]
fn the_keyboard_alone_leads_to_the_outcome_and_unfolds_an_answer() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = Folder::project();
    let page = varied(&folder);
    browser.look(800, "screen", "light");
    browser.visit_file(&page);
    browser.press("Tab", 9, "");
    assert_eq!(browser.value("document.activeElement.className"), "skip");
    assert_eq!(browser.value("document.activeElement.getBoundingClientRect().top >= 0"), true);
    browser.press("Enter", 13, "\r");
    assert_eq!(browser.value("location.hash"), "#outcome");
    let mut steps = 0;
    while browser.value("document.activeElement.matches('.card > summary')") != true {
        browser.press("Tab", 9, "");
        steps += 1;
        assert!(steps < 100, "no answer can be reached");
    }
    browser.press("Enter", 13, "\r");
    assert_eq!(browser.value("document.activeElement.parentElement.open"), true);
}
