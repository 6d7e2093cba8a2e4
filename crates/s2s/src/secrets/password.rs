//! Passwords that people choose: shorter and less mixed than keys, so the words around them must tell.
//! Given what stands behind a word such as `password`; says whether it is one, or only talks of one. Deliberately
//! absent: finding the words, and keys, which tell themselves by their shape.

/// What nobody would keep secret, and what documents say in the place of a password.
const DULL: [&str; 26] = [
    "password",
    "passwort",
    "passwd",
    "passphrase",
    "secret",
    "postgres",
    "mysql",
    "string",
    "required",
    "optional",
    "hidden",
    "default",
    "disabled",
    "enabled",
    "unchanged",
    "undefined",
    "prompt",
    "private",
    "rotated",
    "encrypted",
    "hashed",
    "masked",
    "generated",
    "provided",
    "missing",
    "invalid",
];
/// How a password is kept, not what it is.
const KEPT_AS: [&str; 16] = [
    "argon2", "bcrypt", "scrypt", "pbkdf2", "sha1", "sha2", "sha3", "sha5", "sha-", "md5", "aes", "oauth", "hmac",
    "base64", "utf", "hs256",
];

/// Whether a value is a password somebody chose. `like_env` = it stands as in an environment file: the name in
/// capitals, `=` and the value without a blank.
pub(super) fn is_password(value: &str, like_env: bool) -> bool {
    let least = if like_env { 6 } else { 7 };
    let lower = value.to_ascii_lowercase();
    let letters = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let digits = value.bytes().any(|byte| byte.is_ascii_digit());
    let odd = value.bytes().any(|byte| b"!@#$%^&*?+~".contains(&byte));
    // A word alone may be anything, unless it stands where only a password can.
    let chosen = letters && (digits || odd || like_env);
    (least..=200).contains(&value.len())
        && chosen
        && value.is_ascii()
        && !DULL.contains(&lower.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()))
        && !KEPT_AS.iter().any(|start| lower.starts_with(start))
}

/// Whether it is the name of something in a program: `hashed_password2`, `user.pass1`, `DB_PASS_2`.
pub(super) fn is_name(value: &str, like_env: bool) -> bool {
    let capitals = value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let joined = value.contains('.') || (value.contains('_') && (capitals || !like_env));
    let word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let one_case = |is: fn(&u8) -> bool| letters.as_bytes().iter().all(is);
        (one_case(u8::is_ascii_lowercase) || one_case(u8::is_ascii_uppercase)) && part.len() - letters.len() <= 2
    };
    joined && value.split(['_', '.', '[', ']']).all(word)
}

/// Whether the words behind `Bearer` are a token and not the rest of a sentence.
pub(super) fn is_token(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let both =
        value.bytes().any(|byte| byte.is_ascii_uppercase()) && value.bytes().any(|byte| byte.is_ascii_lowercase());
    let signs = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    (16..=4096).contains(&value.len()) && value.bytes().all(signs) && (digits >= 3 || (both && digits > 0))
}
