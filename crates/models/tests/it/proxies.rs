//! The system's proxy: used for hosts elsewhere, never for this machine. A process takes its proxy from its
//! environment, so each case is this test binary again, with another environment.

use std::process::Output;

use s2s_models::{Api, HttpProvider, Provider};
use tokio::process::Command;

use crate::samples;
use crate::server::{Server, client, endpoint, question, stream};

/// Runs one test of this binary with a proxy in its environment.
async fn run_with_proxy(test: &str, proxy: &str) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--include-ignored"]).kill_on_drop(true);
    for name in ["NO_PROXY", "no_proxy", "REQUEST_METHOD"] {
        command.env_remove(name);
    }
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env(name, proxy);
    }
    command.output().await.unwrap()
}

#[tokio::test]
#[ignore = "run by the test below, behind a proxy"]
async fn a_call_elsewhere() {
    let elsewhere = endpoint(Api::OpenAi, "http://models.example");
    let provider = HttpProvider::new("acme", elsewhere, client()).unwrap();
    assert_eq!(provider.ask(&question(), &|_| ()).await.unwrap().text, "Tea.\n");
}

#[tokio::test]
async fn a_call_elsewhere_goes_through_the_proxy() {
    let proxy = Server::start(vec![stream(Api::OpenAi, &samples::whole(Api::OpenAi))]).await;
    let done = run_with_proxy("proxies::a_call_elsewhere", &proxy.url).await;
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    assert_eq!(proxy.asked().line, "POST http://models.example/v1/chat/completions HTTP/1.1");
}

#[tokio::test]
async fn a_call_on_this_machine_goes_past_the_proxy() {
    let proxy = Server::start(vec![stream(Api::OpenAi, &samples::whole(Api::OpenAi))]).await;
    let done = run_with_proxy("replies::whole_replies", &proxy.url).await;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(proxy.seen.lock().unwrap().connections, 0);
}
