//! A real browser: headless Chromium, told what to do over its debugging pipe and asked what it saw.
//! Two named pipes carry one JSON message each way, ended by a zero byte. Nothing is timed: every step waits for the message
//! that answers it. `S2S_SHOTS=FOLDER` keeps what it saw there.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::harness::skipped;

/// It speaks to nobody of its own accord, so that whatever it asks for is the page's doing.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--hide-scrollbars",
];

pub struct Browser {
    child: Child,
    to: File,
    from: BufReader<File>,
    _home: TempDir,
    next: u64,
    tab: String,
    /// What it told without being asked.
    pub events: Vec<Value>,
}

impl Browser {
    /// Starts one; none where there is none.
    pub fn start() -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let there = |name: &&&str| {
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
        };
        let Some(name) = names.iter().find(there) else {
            skipped("Chromium is not installed (apt-get install chromium)");
            return None;
        };
        let home = tempfile::tempdir().unwrap();
        let [to, from] = ["to", "from"].map(|name| home.path().join(name));
        assert!(Command::new("mkfifo").args([&to, &from]).status().unwrap().success());
        let child = Command::new("sh")
            .args(["-c", "exec timeout -k 5 300 \"$@\" 3<\"$TO\" 4>\"$FROM\"", "sh", name])
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
            .env("TO", &to)
            .env("FROM", &from)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = File::options().write(true).open(to).unwrap();
        let from = BufReader::new(File::open(from).unwrap());
        let mut browser = Self { child, to, from, _home: home, next: 0, tab: String::new(), events: Vec::new() };
        browser.open_tab();
        Some(browser)
    }

    fn open_tab(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = self.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        self.tab = attached["sessionId"].as_str().unwrap().to_owned();
        for part in ["Page", "Network", "Runtime", "Log"] {
            self.call(&format!("{part}.enable"), json!({}));
        }
    }

    /// Has something done, and waits until it is.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if !self.tab.is_empty() {
            message["sessionId"] = json!(self.tab);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let heard = self.hear();
            if heard["id"] == self.next {
                assert!(heard.get("error").is_none(), "{method}: {}", heard["error"]);
                return heard["result"].clone();
            }
            self.events.push(heard);
        }
    }

    fn hear(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "the browser ended");
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Goes to an address and does not wait for it.
    pub fn go(&mut self, address: &str) {
        self.events.clear();
        self.call("Page.navigate", json!({ "url": address }));
    }

    /// Listens until this holds.
    pub fn until(&mut self, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            let heard = self.hear();
            self.events.push(heard);
        }
    }

    /// Opens an address and waits until everything on the page is there.
    pub fn visit(&mut self, address: &str) {
        self.go(address);
        self.until(|browser| browser.events.iter().any(|event| event["method"] == "Page.loadEventFired"));
    }

    /// Opens a file.
    pub fn visit_file(&mut self, path: &Path) {
        self.visit(&format!("file://{}", path.display()));
    }

    /// Everything that was asked for since the last visit began.
    pub fn requests(&self) -> Vec<String> {
        let asked = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        asked.map(|event| event["params"]["request"]["url"].as_str().unwrap().to_owned()).collect()
    }

    /// The value of an expression on the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let told = self.call("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true }));
        assert!(told.get("exceptionDetails").is_none(), "{told}");
        told["result"]["value"].clone()
    }

    /// Looks at the page so wide, in this medium and this scheme of colours.
    pub fn look(&mut self, width: u32, medium: &str, scheme: &str) {
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "media": medium, "features": features }));
    }

    /// A picture of the whole page, as base64 of a PNG.
    pub fn picture(&mut self, name: &str) -> String {
        let asked = json!({ "format": "png", "captureBeyondViewport": true });
        let taken = self.call("Page.captureScreenshot", asked)["data"].as_str().unwrap().to_owned();
        keep(name, "png", &taken);
        taken
    }

    /// The page as it would be printed, as base64 of a PDF.
    pub fn printed(&mut self, name: &str) -> String {
        let made = self.call("Page.printToPDF", json!({ "preferCSSPageSize": true }));
        let made = made["data"].as_str().unwrap().to_owned();
        keep(name, "pdf", &made);
        made
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str, code: u32, text: &str) {
        let mut down = json!({ "type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code });
        if !text.is_empty() {
            down["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", down);
        let up = json!({ "type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code });
        self.call("Input.dispatchKeyEvent", up);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.tab.clear();
        // It may have ended by itself already, and a test that fails has more to say than this.
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let _ = self.child.wait();
    }
}

fn keep(name: &str, ending: &str, base64: &str) {
    let Some(folder) = std::env::var_os("S2S_SHOTS") else { return };
    let path = Path::new(&folder).join(format!("{name}.{ending}"));
    fs::write(path, decoded(base64)).unwrap();
}

fn decoded(base64: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for letter in base64.bytes().filter_map(|byte| LETTERS.iter().position(|known| *known == byte)) {
        bits = (bits << 6 | letter as u32) & 0xFF_FFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
