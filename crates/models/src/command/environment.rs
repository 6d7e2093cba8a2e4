//! The variables a command gets: a short list, what its own login needs, and what the config names.
//! Is given a snapshot of variables; hands on the reduced set, and takes secrets out of texts for people.
//! Deliberately absent: reading the environment, which whoever starts us does.

use std::collections::BTreeMap;

/// Passed to every command.
const PASSED: [&str; 20] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "TERM",
    "TMPDIR",
    "TZ",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
];
/// Passed to every command, by how they begin.
const PASSED_BEGINNINGS: [&str; 2] = ["LC_", "XDG_"];
/// How the names of variables that hold secrets end, in capitals.
const SECRET_ENDINGS: [&str; 8] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIALS", "HEADERS", "COOKIE", "_PROXY"];
/// Shorter values are not taken out of texts: they would tear holes into ordinary words.
const SHORTEST_SECRET: usize = 6;

/// The variables of one command.
#[derive(Clone)]
pub(super) struct Environment {
    variables: BTreeMap<String, String>,
    /// Those that the settings name: somebody chose to give them, so they are taken for secrets.
    named: Vec<String>,
}

impl Environment {
    /// The reduced set: the common list, names that begin like `own`, and those in `named`.
    pub fn reduced(all: &BTreeMap<String, String>, own: &[&str], named: &[String]) -> Self {
        let passes = |name: &str| {
            PASSED.contains(&name)
                || PASSED_BEGINNINGS.iter().chain(own).any(|beginning| name.starts_with(beginning))
                || named.iter().any(|wanted| wanted == name)
        };
        let kept = all.iter().filter(|(name, _)| passes(name));
        let variables = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
        Self { variables, named: named.to_vec() }
    }

    /// Sets a variable, over what was there.
    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The text without the values of variables that the settings name or that look like secrets.
    pub fn without_secrets(&self, text: &str) -> String {
        let mut secrets: Vec<&str> = self
            .iter()
            .filter(|(name, value)| self.is_given(name, value) || is_secret(name, value))
            .map(|(_, v)| v)
            .collect();
        // The longest first: one may be part of another.
        secrets.sort_by_key(|value| std::cmp::Reverse(value.len()));
        secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "[removed]"))
    }

    fn is_given(&self, name: &str, value: &str) -> bool {
        value.len() >= SHORTEST_SECRET && self.named.iter().any(|given| given == name)
    }
}

fn is_secret(name: &str, value: &str) -> bool {
    let name = name.to_uppercase();
    // A proxy is a secret only where it holds a password.
    let hides = !name.ends_with("_PROXY") || value.contains('@');
    hides && value.len() >= SHORTEST_SECRET && SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> BTreeMap<String, String> {
        let pairs = [
            ("PATH", "/bin"),
            ("LC_ALL", "C.UTF-8"),
            ("AWS_SECRET_ACCESS_KEY", "aws-secret-value"),
            ("ANTHROPIC_API_KEY", "sk-ant-123456"),
            ("OPENAI_API_KEY", "sk-oai-123456"),
            ("MY_GATEWAY_TOKEN", "gate-123456"),
            ("HTTPS_PROXY", "http://me:word@proxy"),
            ("NO_PROXY", "localhost"),
        ];
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    fn names(environment: &Environment) -> Vec<&str> {
        environment.iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn a_command_gets_the_list_its_own_and_what_is_named() {
        let plain = Environment::reduced(&all(), &[], &[]);
        assert_eq!(names(&plain), ["HTTPS_PROXY", "LC_ALL", "NO_PROXY", "PATH"]);
        let claude = Environment::reduced(&all(), &["ANTHROPIC_"], &["MY_GATEWAY_TOKEN".to_owned()]);
        assert_eq!(
            names(&claude),
            ["ANTHROPIC_API_KEY", "HTTPS_PROXY", "LC_ALL", "MY_GATEWAY_TOKEN", "NO_PROXY", "PATH"]
        );
    }

    #[test]
    fn secrets_are_taken_out_of_texts() {
        let environment = Environment::reduced(&all(), &["ANTHROPIC_"], &["MY_GATEWAY_TOKEN".to_owned()]);
        let text = "key sk-ant-123456 via http://me:word@proxy with gate-123456 on localhost";
        assert_eq!(environment.without_secrets(text), "key [removed] via [removed] with [removed] on localhost");
    }

    #[test]
    fn a_variable_that_the_settings_name_is_a_secret_whatever_its_name() {
        let mut all = all();
        all.insert("ASK_PROFILE".to_owned(), "blue-garden".to_owned());
        all.insert("LC_NAME".to_owned(), "plain-words".to_owned());
        let environment = Environment::reduced(&all, &[], &["ASK_PROFILE".to_owned()]);
        assert_eq!(environment.without_secrets("no blue-garden in plain-words"), "no [removed] in plain-words");
        let unnamed = Environment::reduced(&all, &["ASK_"], &[]);
        assert_eq!(unnamed.without_secrets("a blue-garden"), "a blue-garden");
    }
}
