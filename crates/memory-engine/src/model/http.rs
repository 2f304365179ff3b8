//! Vectors from an OpenAI-compatible server: `POST {endpoint}/embeddings`.
//!
//! It sends what it is given to that one address: no proxy and no redirect takes a text or the key elsewhere. Which
//! texts may leave is for the caller to decide. An answer that does not fit in every respect is an error, and no
//! error repeats a text, an answer or the key. After a failure the server is left alone for a moment, so that many
//! texts wait for it once and not once each.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use memory_core::config::{MeaningSettings, VariableName};
use serde::Deserialize;
use serde_json::json;
use ureq::Agent;

use super::Embedder;
use crate::ambient;
use crate::error::{Error, Result};

/// Of a longer text only the beginning is sent. No tokeniser makes more tokens than bytes, and servers refuse texts
/// of more than about 8,000.
const LONGEST_TEXT: usize = 8000;
/// More numbers than any model gives.
const MOST_DIMS: usize = 16_384;
/// Bytes of an answer for each text, and besides.
const ANSWER_BYTES: usize = 32 * MOST_DIMS;
/// For so long after a failure nothing is asked.
const PAUSE: Duration = Duration::from_secs(10);
/// A longer name is shortened to a digest.
const LONGEST_NAME: usize = 120;

/// A server that knows a model.
pub(crate) struct Http {
    name: String,
    url: String,
    model: String,
    key: VariableName,
    timeout: Duration,
    batch: usize,
    agent: OnceLock<Agent>,
    /// How many numbers the first vector had; 0 before there was one.
    dims: AtomicUsize,
    /// When it failed last, and why.
    failed: Mutex<Option<(Instant, String)>>,
}

impl Http {
    /// The server that the settings name, if they do.
    pub(crate) fn of(settings: &MeaningSettings) -> Option<Self> {
        if settings.endpoint.is_empty() {
            return None;
        }
        Some(Self {
            name: name(settings.endpoint.as_str(), &settings.model),
            url: format!("{}/embeddings", settings.endpoint.as_str()),
            model: settings.model.clone(),
            key: settings.key_env.clone(),
            timeout: Duration::from_millis(settings.timeout_ms.get()),
            batch: settings.batch.get(),
            agent: OnceLock::new(),
            dims: AtomicUsize::new(0),
            failed: Mutex::new(None),
        })
    }

    /// How many texts it takes at once.
    pub(crate) fn batch(&self) -> usize {
        self.batch
    }

    /// How long it may take for one answer.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Asks for a vector where there was none yet, so that [`dims`](Embedder::dims) is known.
    pub(crate) fn learn_dims(&self) -> Result<usize> {
        if self.dims.load(Ordering::Relaxed) == 0 {
            self.embed(&["memory"])?;
        }
        Ok(self.dims())
    }

    /// The vectors of texts, each batch of which may take so long.
    pub(crate) fn embed_within(&self, texts: &[&str], within: Duration) -> Result<Vec<Vec<f32>>> {
        let says_something: Vec<usize> = (0..texts.len()).filter(|&n| !texts[n].trim().is_empty()).collect();
        let mut vectors = vec![Vec::new(); texts.len()];
        for batch in says_something.chunks(self.batch) {
            let sent: Vec<&str> = batch.iter().map(|&n| beginning(texts[n])).collect();
            let answer = self
                .ask_unless_paused(&sent, within)
                .map_err(|why| Error::Server { url: self.url.clone(), why })?;
            for (&n, vector) in batch.iter().zip(answer) {
                vectors[n] = vector;
            }
        }
        // A text without a word was not sent, and its zeros are as many as the others' numbers.
        let dims = self.dims();
        vectors.iter_mut().filter(|vector| vector.is_empty()).for_each(|vector| vector.resize(dims, 0.0));
        Ok(vectors)
    }

    fn ask_unless_paused(
        &self,
        texts: &[&str],
        within: Duration,
    ) -> std::result::Result<Vec<Vec<f32>>, String> {
        if let Some((when, why)) = &*self.failed.lock().unwrap_or_else(PoisonError::into_inner)
            && when.elapsed() < PAUSE
        {
            return Err(why.clone());
        }
        let answer = self.ask(texts, within);
        // Running out of a shorter time than it may take is no failure of the server.
        if answer.is_ok() || within >= self.timeout {
            let failed = answer.as_ref().err().map(|why| (Instant::now(), why.clone()));
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
        }
        answer
    }

    fn ask(&self, texts: &[&str], within: Duration) -> std::result::Result<Vec<Vec<f32>>, String> {
        let within = within.min(self.timeout);
        let mut body = json!({ "input": texts });
        if !self.model.is_empty() {
            body["model"] = self.model.as_str().into();
        }
        let request = self.agent().post(&self.url).header("content-type", "application/json");
        let request = match self.bearer()? {
            Some(bearer) => request.header("authorization", bearer),
            None => request,
        };
        let request = request.config().timeout_global(Some(within)).build();
        let failure = |error: ureq::Error| why(&error, within);
        let mut response = request.send(body.to_string().as_bytes()).map_err(failure)?;
        let status = response.status().as_u16();
        if status != 200 {
            return Err(format!("it answered with status {status}: {}", advice(status)));
        }
        let most = ANSWER_BYTES.saturating_mul(texts.len() + 1) as u64;
        let bytes = response.body_mut().with_config().limit(most).read_to_vec().map_err(failure)?;
        let answer: Answer = serde_json::from_slice(&bytes)
            .map_err(|_| format!("its answer is not a list of vectors: {CHECK_ENDPOINT}"))?;
        self.in_order(answer, texts.len())
    }

    /// The vectors of an answer in the order of the texts, if it has one for each and all are alike.
    fn in_order(&self, answer: Answer, count: usize) -> std::result::Result<Vec<Vec<f32>>, String> {
        let mut vectors: Vec<Vec<f32>> = vec![Vec::new(); count];
        if answer.data.len() != count {
            return Err(format!("it gave {} vectors for {count} texts: {CHECK_ENDPOINT}", answer.data.len()));
        }
        for (n, item) in answer.data.into_iter().enumerate() {
            let dims = item.embedding.len();
            if dims == 0 || dims > MOST_DIMS || !item.embedding.iter().all(|x| x.is_finite()) {
                return Err(format!("it gave a vector of {dims} numbers that is none: {CHECK_ENDPOINT}"));
            }
            let known = match self.dims.compare_exchange(0, dims, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => dims,
                Err(known) => known,
            };
            if known != dims {
                return Err(format!(
                    "it gave a vector of {dims} numbers after one of {known}: {CHECK_ENDPOINT}"
                ));
            }
            match vectors.get_mut(item.index.unwrap_or(n)) {
                Some(place) if place.is_empty() => *place = one_long(item.embedding),
                _ => return Err(format!("it gave two vectors for one text: {CHECK_ENDPOINT}")),
            }
        }
        Ok(vectors)
    }

    fn agent(&self) -> &Agent {
        self.agent.get_or_init(|| {
            let config = Agent::config_builder()
                .user_agent(concat!("agent-memory/", env!("CARGO_PKG_VERSION")))
                .http_status_as_error(false)
                // The user named one address; a redirect or a proxy of the environment is another.
                .max_redirects(0)
                .proxy(None)
                .build();
            config.new_agent()
        })
    }

    /// The header with the key, where one is named. The key is read each time and kept nowhere.
    fn bearer(&self) -> std::result::Result<Option<String>, String> {
        if self.key.is_empty() {
            return Ok(None);
        }
        let name = self.key.as_str();
        let Some(key) = ambient::variable(name) else {
            return Err(format!("the variable `{name}`, which `meaning.key_env` names, is not set"));
        };
        match key.to_str().map(str::trim) {
            Some(key) if key.bytes().all(|b| (b' '..=b'~').contains(&b)) => Ok(Some(format!("Bearer {key}"))),
            _ => Err(format!("the variable `{name}` holds characters that no key has")),
        }
    }
}

impl Embedder for Http {
    fn name(&self) -> &str {
        &self.name
    }

    /// One before the first answer: a vector of one zero is like no other.
    fn dims(&self) -> usize {
        self.dims.load(Ordering::Relaxed).max(1)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.embed_within(texts, self.timeout)
    }

    fn server(&self) -> Option<&Http> {
        Some(self)
    }
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Vec<f32>,
}

const CHECK_ENDPOINT: &str = "check `meaning.endpoint` and `meaning.model`";

fn name(endpoint: &str, model: &str) -> String {
    let name = format!("http:{endpoint}#{model}");
    if name.len() <= LONGEST_NAME { name } else { format!("http:{}", blake3::hash(name.as_bytes()).to_hex()) }
}

fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST_TEXT)).unwrap_or(text)
}

fn one_long(mut vector: Vec<f32>) -> Vec<f32> {
    // The sum of squares of large numbers would not fit their own type.
    let length = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x = (f64::from(*x) / length) as f32);
    }
    vector
}

/// What went wrong, in words that hold nothing of what was sent.
fn why(error: &ureq::Error, within: Duration) -> String {
    match error {
        ureq::Error::Timeout(_) => {
            format!("it did not answer within {} ms: see `meaning.timeout_ms`", within.as_millis())
        }
        ureq::Error::HostNotFound => format!("its host is not known: {CHECK_ENDPOINT}"),
        ureq::Error::BodyExceedsLimit(_) => format!("its answer is too long: {CHECK_ENDPOINT}"),
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            "nothing listens there: start the server, or empty `meaning.endpoint`".to_owned()
        }
        ureq::Error::Io(error) => format!("the connection failed ({}): {CHECK_ENDPOINT}", error.kind()),
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => {
            format!("no secure connection came about: {CHECK_ENDPOINT}")
        }
        _ => format!("it does not speak HTTP as expected: {CHECK_ENDPOINT}"),
    }
}

fn advice(status: u16) -> &'static str {
    match status {
        300..=399 => {
            "it points elsewhere, and redirects are not followed; put the final address into `meaning.endpoint`"
        }
        401 | 403 => "check the key in the variable that `meaning.key_env` names",
        400 | 413 | 422 => "check `meaning.model`, or lower `meaning.batch`",
        429 => "it has too much to do; try again later",
        500.. => "the server itself failed; its log tells more",
        _ => CHECK_ENDPOINT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory_core::config::{Config, Layer, Origin, resolve};

    fn http(text: &str) -> Http {
        let layer =
            Layer { origin: Origin::User, text: format!("[meaning]\nendpoint = \"http://h/v1\"\n{text}") };
        Http::of(&resolve(&[layer]).config.meaning).unwrap()
    }

    #[test]
    fn no_endpoint_is_no_server() {
        assert!(Http::of(&Config::default().meaning).is_none());
    }

    #[test]
    fn two_models_have_two_names_and_long_names_stay_short() {
        assert_eq!(http("model = \"m\"").name(), "http:http://h/v1#m");
        let long = |end: &str| http(&format!("model = \"{}{end}\"", "m".repeat(200))).name;
        assert!(long("1").len() < LONGEST_NAME && long("1") != long("2") && long("1").starts_with("http:"));
    }

    #[test]
    fn a_server_that_is_not_there_is_no_trouble_with_the_disk() {
        let text = "[meaning]\nendpoint = \"http://127.0.0.1:9/v1\"".to_owned();
        let settings = resolve(&[Layer { origin: Origin::User, text }]).config.meaning;
        let error = Http::of(&settings).unwrap().embed(&["text"]).unwrap_err();
        assert_eq!(error.code(), "E_SERVER", "{error}");
        assert!(
            error.to_string().starts_with("could not get vectors from `http://127.0.0.1:9/v1/embeddings`: ")
        );
        assert!(!error.is_of_one_file());
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(beginning("short"), "short");
        let long = "東".repeat(LONGEST_TEXT);
        assert!(beginning(&long).len() > LONGEST_TEXT - 4 && beginning(&long).len() <= LONGEST_TEXT);
    }

    #[test]
    fn an_answer_fits_or_is_an_error() {
        let check = |text: &str, expect: std::result::Result<Vec<Vec<f32>>, &str>| {
            let answer = serde_json::from_str(text).unwrap();
            match (http("").in_order(answer, 2), expect) {
                (Ok(got), Ok(expect)) => assert_eq!(got, expect, "{text}"),
                (Err(got), Err(expect)) => assert!(got.contains(expect), "{text}: {got}"),
                (got, _) => panic!("{text}: {got:?}"),
            }
        };
        let two = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        check(r#"{"data":[{"embedding":[3,0]},{"embedding":[0,0.5]}],"model":"x"}"#, Ok(two.clone()));
        check(r#"{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}"#, Ok(two.clone()));
        check(r#"{"data":[{"embedding":[3e38,0]},{"embedding":[0,1e-30]}]}"#, Ok(two));
        check(
            r#"{"data":[{"embedding":[0,0]},{"embedding":[0,1]}]}"#,
            Ok(vec![vec![0.0, 0.0], vec![0.0, 1.0]]),
        );
        check(r#"{"data":[]}"#, Err("0 vectors for 2 texts"));
        check(r#"{"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}]}"#, Err("3 vectors for 2"));
        check(r#"{"data":[{"embedding":[]},{"embedding":[]}]}"#, Err("0 numbers"));
        check(r#"{"data":[{"embedding":[1,0]},{"embedding":[1]}]}"#, Err("1 numbers after one of 2"));
        check(r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#, Err("two vectors"));
        check(r#"{"data":[{"index":7,"embedding":[1]},{"index":0,"embedding":[1]}]}"#, Err("two vectors"));
        let huge = Answer { data: vec![Item { index: None, embedding: vec![f32::INFINITY] }] };
        assert!(http("").in_order(huge, 1).is_err_and(|why| why.contains("is none")));
    }
}
