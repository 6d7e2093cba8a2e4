//! What is taken for a secret, and what is not. The secrets here are made up, and put together at run time so
//! that no tool takes this file for a leak.

use super::{Kind, looks_like_secret, scan};

/// Signs that look random: no two tests need others.
const BODY: &str = "q7Zk2Lw9Xb4Tn8Rv3Yc6Md1Hf5Jg0PsQ7aKe2Uo9WiNxBtGyVhCzLrDm4S8pF1j3E6uTq5Ra7Xo2";

fn body(length: usize) -> &'static str {
    &BODY[..length]
}

fn check(text: &str, expected: Option<Kind>) {
    assert_eq!(looks_like_secret(text), expected, "{text:?}");
}

#[test]
fn keys_of_every_shape_are_found() {
    for (whose, start, length) in [
        ("Anthropic", "sk-ant-api03-", 60),
        ("OpenAI", "sk-proj-", 60),
        ("OpenAI", "sk-", 48),
        ("OpenAI", "sk-svcacct-", 40),
        ("OpenRouter", "sk-or-v1-", 64),
        ("Google", "AIza", 35),
        ("Groq", "gsk_", 52),
        ("Hugging Face", "hf_", 34),
        ("GitHub", "ghp_", 36),
        ("GitHub", "github_pat_", 60),
        ("GitLab", "glpat-", 20),
        ("Slack", "xoxb-", 40),
        ("Stripe", "sk_live_", 24),
        ("npm", "npm_", 36),
        ("PyPI", "pypi-AgE", 70),
        ("Shopify", "shpat_", 32),
        ("Vault", "hvs.", 24),
    ] {
        let key = format!("{start}{}", body(length));
        check(&key, Some(Kind::Key(whose)));
        check(&format!("use \"{key}\", please"), Some(Kind::Key(whose)));
        check(&format!("KEY={key}\n"), Some(Kind::Key(whose)));
        check(&format!("https://host/?key={key}&x=1"), Some(Kind::Key(whose)));
    }
    check(&["AKIA", "J7Q2ZK4WXB3TN6RV"].concat(), Some(Kind::Key("AWS")));
    check(&format!("AccountKey={}aB==", body(70)), Some(Kind::Key("Azure storage")));
}

#[test]
fn private_keys_tokens_and_passwords_are_found() {
    let pem = ["-----BEGIN RSA PRIVATE", " KEY-----\n", body(64), "\n"].concat();
    check(&pem, Some(Kind::PrivateKey));
    check(&pem.replace("RSA ", ""), Some(Kind::PrivateKey));
    check(&pem.replace("RSA ", "OPENSSH "), Some(Kind::PrivateKey));
    let jwt = ["eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiJhYmMiLCJuIjoxfQ.", body(43)].concat();
    check(&format!("Bearer {jwt}"), Some(Kind::Jwt));
    for address in ["postgres://app:{}@db.internal:5432/shop", "redis://:{}@cache", "https://bob:{}@git.host/x.git"] {
        check(&address.replace("{}", "h3llo-World"), Some(Kind::AddressPassword));
    }
    for line in ["password: {}", "\"password\": \"{}\"", "DB_PASSWORD={}", "client_secret = '{}'", "api-key: `{}`"] {
        check(&line.replace("{}", "tR7#kq29Lm!vX4"), Some(Kind::Assigned));
    }
    check(&format!("AWS_SECRET_ACCESS_KEY={}", body(40)), Some(Kind::Assigned));
    check(&format!("SECRET_KEY = \"{}\"", body(50)), Some(Kind::Assigned));
}

#[test]
fn passwords_that_people_choose_are_found() {
    for text in [
        "password: hunter2hunter2",
        "password: hunter2",
        "- **Password**: `hunter2hunter2`",
        "{\"password\": \"letmein99\", \"user\": \"bob\"}",
        "db_password = 'winter2026'",
        "DB_PASSWORD=supersecretpass",
        "export PGPASSWORD=kittens4ever",
        "MYSQL_PWD=Tr0ub4dor",
        "SMTP_PASS=blue-Monday-7",
        "Server=db;User Id=app;Password=hunter2hunter2;",
        "jdbc:mysql://db/shop?user=app&password=winter2026&ssl=true",
        "passphrase: Open-Sesame!",
        "Authorization: Bearer abcdef0123456789abcdef",
        "curl -H 'authorization: bearer A1b2C3d4E5f6G7h8'",
    ] {
        check(text, Some(Kind::Assigned));
    }
    check("postgres://shop:hunter2@db.internal/shop", Some(Kind::AddressPassword));
}

#[test]
fn a_text_about_passwords_stops_nobody() {
    for text in [
        "password: <password>",
        "password: ***",
        "password: ********",
        "DB_PASSWORD=${DB_PASSWORD}",
        "DB_PASSWORD=$DB_PASSWORD",
        "DB_PASSWORD=%DB_PASSWORD%",
        "DB_PASSWORD=changeme",
        "DB_PASSWORD=change_me",
        "DB_PASSWORD=PLEASE_SET_ME_2",
        "DB_PASSWORD=",
        "POSTGRES_PASSWORD=postgres",
        "PASSWORD=password",
        "password: \"password\"",
        "the password is reset after 3 tries",
        "Password: reset by mail, at least 12 characters",
        "password: at-least-12-characters",
        "password: argon2id",
        "password: SHA-256, salted",
        "password: string",
        "password: !vault secret/db2",
        "password: *default_password1",
        "password = hashed_password2",
        "password = user.password2",
        "password = form[\"password2\"]",
        "password=request.form.password1",
        "PASSWORD_MIN_LENGTH=12",
        "bypass: route53",
        "we pass: 128 of 130",
        "Bearer tokens are short-lived; a bearer authentication-with-oauth2 flow",
        "Authorization: Bearer <token>",
        "Authorization: Bearer YOUR_TOKEN_0123456789",
        "Authorization: Bearer $TOKEN",
        "PWD=/home/me/work2",
        "postgres://user:pass@host/db",
        "postgres://user:<password>@host/db",
        "postgres://user:***@host/db",
    ] {
        check(text, None);
    }
}

#[test]
fn placeholders_references_and_plain_words_are_not_secrets() {
    for text in [
        "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-your-key-here-0123456789abcdefghijklmnop",
        "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "AKIAIOSFODNN7EXAMPLE",
        "sk-proj-...",
        "the prefix sk-ant- is Anthropic's",
        "task-force sk-learn risk-averse disk-",
        "a_sk-0123456789abcdef0123456789abcdef",
        "password: ${DB_PASSWORD}",
        "password: <your password>",
        "password: process.env.DB_PASSWORD2",
        "password: changeme1234567",
        "password: correct horse battery staple 99",
        "password=12345678901234",
        "PASSWORD: {{ vault.db.pass1 }}",
        "max_output_tokens: 8192",
        "tokens: 1000000 and 128000",
        "token = next_token(&mut lexer1)",
        "secret: gpt-6.1-sol-2026-08-12",
        "api_key_env: LOCAL_KEY_2026_FOR_US",
        "A token: it is short-lived (15 minutes).",
        "postgres://localhost:5432/shop",
        "postgres://app:password@db/shop",
        "postgres://app:${PASS}@db/shop",
        "postgres://postgres:postgres@db/shop",
        "mail me at https://host/a:b@c",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n",
        "A PEM file starts with -----BEGIN PRIVATE KEY----- and ends alike.",
        "eyJhbGciOiJIUzI1NiJ9.short.x",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "550e8400-e29b-41d4-a716-446655440000",
        "Passwords are hashed with argon2id; secrets come from Vault.",
    ] {
        check(text, None);
    }
}

#[test]
fn a_finding_says_where_and_never_what() {
    let key = ["sk-ant-", "api03-", body(40)].concat();
    let password = "tR7#kq29Lm!vX4";
    let text = format!("# Größe\n\nÜber: {key}, {key}\npassword: {password}\n");
    let said: Vec<String> = scan("CONTEXT.md", &text).iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "CONTEXT.md:3:7: this looks like an Anthropic key (sk-a…)".to_owned(),
            format!("CONTEXT.md:3:{}: this looks like an Anthropic key (sk-a…)", 9 + key.len()),
            "CONTEXT.md:4:11: this looks like a password or other secret".to_owned(),
        ]
    );
    let told = format!("{:?} {}", scan("x", &text), serde_json::to_string(&scan("x", &text)).unwrap());
    assert!(!told.contains(&key[..12]) && !told.contains(&password[..6]), "{told}");
}

#[test]
fn one_key_is_one_finding_even_behind_a_word() {
    let key = ["ghp_", body(36)].concat();
    let found = scan("x", &format!("token: {key}"));
    assert_eq!(found.iter().map(|finding| finding.kind).collect::<Vec<_>>(), [Kind::Key("GitHub")]);
}

/// Roles, prompts, templates and playbooks speak of passwords, tokens and keys without holding one.
#[test]
fn no_shipped_text_is_taken_for_a_secret() {
    let catalog = crate::catalog::Catalog::builtin();
    for item in catalog.list() {
        let text = catalog.show(item.kind, &item.name).unwrap().text;
        let found: Vec<String> = scan(&item.name, &text).iter().map(ToString::to_string).collect();
        assert_eq!(found, Vec::<String>::new());
    }
    assert_eq!(scan("config.yaml", crate::config::COMMENTED), []);
}

/// A text that is all beginnings of keys must not hide one, nor keep the scan from its end.
#[test]
fn a_key_behind_a_hostile_text_is_found() {
    let key = ["ghp_", body(36)].concat();
    for part in [
        "sk-",
        "eyJ.",
        "eyJa.eyJ",
        "token=",
        "bearer ",
        "://a:b@",
        "-----BEGIN ",
        "glpat-.",
        "password: \u{1F600}",
        "AKIA ",
    ] {
        let text = format!("{}\n{key}\n", part.repeat((64 << 10) / part.len()));
        let found = scan("x", &text);
        assert!(found.iter().any(|finding| finding.kind == Kind::Key("GitHub")), "{part:?}");
    }
}
