//! The index on disk: terms and postings in tantivy, rows on shelves beside it, both named by one commit.
//!
//! The commit's payload says up to which operation of the ledger it reaches, by which analyser and embedder it was
//! made, and which shelves belong to it. What does not fit, in any respect, is no index: it is built anew.

use std::path::{Path, PathBuf};

use levenshtein_automata::{DFA, Distance, SINK_STATE};
use serde::{Deserialize, Serialize};
use tantivy::directory::{Directory, MmapDirectory};
use tantivy::postings::Postings as _;
use tantivy::schema::{
    FAST, Field as Number, INDEXED, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{DocSet, Index as Tantivy, SegmentReader, TERMINATED, Term};
use tantivy_fst::Automaton;

use super::shelf::Shelf;
use super::words::Field;
use super::{Index, Near, Wanted};
use crate::error::{Error, Result};

/// Grows with every change of the schema or of the shelves.
const FORMAT: u32 = 1;

/// Where shelves are, inside a generation.
pub(super) const SHELVES: &str = "shelves";
/// The file that names the generation in use.
pub(super) const CURRENT: &str = "current";

/// What a commit says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Marked {
    format: u32,
    analyser: u32,
    model: String,
    /// The last operation of the ledger that is in it.
    pub(crate) seq: i64,
    /// The hash of that operation, which tells one ledger from another.
    pub(crate) hash: String,
    pub(super) shelves: Vec<Stood>,
}

/// A shelf that belongs to a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stood {
    pub(super) file: String,
    pub(super) rows: u32,
}

impl Marked {
    pub(super) fn new(model: &str) -> Self {
        let analyser = memory_core::text::VERSION;
        Self {
            format: FORMAT,
            analyser,
            model: model.to_owned(),
            seq: 0,
            hash: String::new(),
            shelves: Vec::new(),
        }
    }

    /// The same, up to another operation.
    pub(super) fn up_to(self, seq: i64, hash: String) -> Self {
        Self { seq, hash, ..self }
    }

    fn fits(&self, model: &str) -> bool {
        self.format == FORMAT && self.analyser == memory_core::text::VERSION && self.model == model
    }
}

/// The numbers of tantivy's fields.
pub(super) struct Fields {
    pub(super) id: Number,
    pub(super) row: Number,
    pub(super) terms: [Number; 5],
}

pub(super) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let id = schema.add_text_field("id", STRING);
    let row = schema.add_u64_field("row", FAST | INDEXED);
    let text = |positions: IndexRecordOption| {
        let how = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_index_option(positions)
            .set_fieldnorms(false);
        TextOptions::default().set_indexing_options(how)
    };
    let terms = Field::ALL.map(|field| {
        let option = match field {
            Field::Body | Field::Title => IndexRecordOption::WithFreqsAndPositions,
            Field::About | Field::Word => IndexRecordOption::WithFreqs,
            Field::Tag => IndexRecordOption::Basic,
        };
        schema.add_text_field(field.name(), text(option))
    });
    (schema.build(), Fields { id, row, terms })
}

/// An open index.
pub(crate) struct OnDisk {
    pub(super) tantivy: Tantivy,
    pub(super) folder: PathBuf,
    pub(crate) marked: Marked,
    fields: Fields,
    segments: Vec<Segment>,
    shelves: Vec<Shelf>,
    live: Vec<bool>,
}

struct Segment {
    reader: SegmentReader,
    /// The row of each document; `u32::MAX` for those that are gone.
    rows: Vec<u32>,
}

const GONE: u32 = u32::MAX;

/// Opens the index in a folder; `Ok(None)` when there is none, an error when there is one that cannot be used.
pub(crate) fn open(index: &Path, model: &str) -> Result<Option<OnDisk>> {
    let mut last = None;
    // The generation may be replaced, and segments merged away, between two looks.
    for _ in 0..4 {
        match open_once(index, model) {
            Ok(opened) => return Ok(opened),
            Err(error) => last = Some(error),
        }
    }
    last.map_or(Ok(None), Err)
}

fn open_once(index: &Path, model: &str) -> Result<Option<OnDisk>> {
    let Some(folder) = current(index) else { return Ok(None) };
    let directory = MmapDirectory::open(&folder).map_err(broken)?;
    let tantivy = Tantivy::open(directory).map_err(broken)?;
    let metas = tantivy.load_metas().map_err(broken)?;
    let marked: Marked =
        serde_json::from_str(metas.payload.as_deref().unwrap_or_default()).map_err(broken)?;
    if !marked.fits(model) {
        return Err(broken("it was made by another version"));
    }
    let on_shelves = MmapDirectory::open(folder.join(SHELVES)).map_err(broken)?;
    let mut shelves = Vec::with_capacity(marked.shelves.len());
    for stood in &marked.shelves {
        let bytes =
            on_shelves.open_read(Path::new(&stood.file)).map_err(broken)?.read_bytes().map_err(broken)?;
        let shelf = Shelf::open(bytes).filter(|shelf| shelf.rows() == stood.rows as usize);
        shelves.push(shelf.ok_or_else(|| broken(format!("`{}` is damaged", stood.file)))?);
    }
    let mut live = vec![false; shelves.iter().map(Shelf::rows).sum()];
    let mut segments = Vec::new();
    for meta in metas.segments {
        let reader = SegmentReader::open(&tantivy.segment(meta)).map_err(broken)?;
        let column = reader.fast_fields().u64("row").map_err(broken)?;
        let values = column.first_or_default_col(u64::MAX);
        let mut numbers = vec![u64::MAX; reader.max_doc() as usize];
        values.get_range(0, &mut numbers);
        let mut rows = Vec::with_capacity(numbers.len());
        for (doc, number) in numbers.into_iter().enumerate() {
            let row = number as usize;
            if reader.is_deleted(doc as u32) {
                rows.push(GONE);
                continue;
            }
            *live.get_mut(row).ok_or_else(|| broken("a row is not on its shelf"))? = true;
            rows.push(row as u32);
        }
        segments.push(Segment { reader, rows });
    }
    let (_, fields) = schema();
    Ok(Some(OnDisk { tantivy, folder, marked, fields, segments, shelves, live }))
}

/// The folder of the generation in use.
pub(super) fn current(index: &Path) -> Option<PathBuf> {
    let directory = MmapDirectory::open(index).ok()?;
    let name = String::from_utf8(directory.atomic_read(Path::new(CURRENT)).ok()?).ok()?;
    let sound = name.starts_with("g-") && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    sound.then(|| index.join(name))
}

/// An error of the index, which never reaches a person: it is built anew.
#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
pub(super) fn broken(why: impl ToString) -> Error {
    Error::Index { why: why.to_string() }
}

impl OnDisk {
    /// Takes rows out of the answers: the memories with these ids have changed since.
    pub(crate) fn supersede<'a>(&mut self, ids: impl Iterator<Item = &'a str>) -> Result<()> {
        for id in ids {
            let term = Term::from_field_text(self.fields.id, id);
            for segment in &mut self.segments {
                let inverted = segment.reader.inverted_index(self.fields.id).map_err(broken)?;
                let Some(mut docs) =
                    inverted.read_postings(&term, IndexRecordOption::Basic).map_err(broken)?
                else {
                    continue;
                };
                while docs.doc() != TERMINATED {
                    if let Some(row) = segment.rows.get_mut(docs.doc() as usize) {
                        if let Some(live) = self.live.get_mut(*row as usize) {
                            *live = false;
                        }
                        *row = GONE;
                    }
                    docs.advance();
                }
            }
        }
        Ok(())
    }

    /// How many segments, shelves and rows there are, and how many of the rows live.
    pub(crate) fn counts(&self) -> [usize; 4] {
        let live = self.live.iter().filter(|live| **live).count();
        [self.segments.len(), self.shelves.len(), self.live.len(), live]
    }

    fn term(&self, field: Field, term: &str) -> Term {
        Term::from_field_text(self.fields.terms[field as usize], term)
    }
}

impl Index for OnDisk {
    fn shelves(&self) -> &[Shelf] {
        &self.shelves
    }

    fn is_live(&self, row: u32) -> bool {
        self.live.get(row as usize).copied().unwrap_or(false)
    }

    fn postings(&self, field: Field, term: &str, each: &mut dyn FnMut(u32, u32)) -> Result<()> {
        let wanted = self.term(field, term);
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(wanted.field()).map_err(broken)?;
            let blocks =
                inverted.read_block_postings(&wanted, IndexRecordOption::WithFreqs).map_err(broken)?;
            let Some(mut blocks) = blocks else { continue };
            while blocks.block_len() > 0 {
                for (&doc, &often) in blocks.docs().iter().zip(blocks.freqs()) {
                    match segment.rows.get(doc as usize) {
                        Some(&row) if row != GONE => each(row, often),
                        _ => {}
                    }
                }
                blocks.advance();
            }
        }
        Ok(())
    }

    fn rows_with(&self, field: Field, term: &str) -> Result<u32> {
        let wanted = self.term(field, term);
        let mut rows = 0;
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(wanted.field()).map_err(broken)?;
            rows += inverted.doc_freq(&wanted).map_err(broken)?;
        }
        Ok(rows)
    }

    fn positions(&self, field: Field, term: &str, each: &mut dyn FnMut(u32, &[u32])) -> Result<()> {
        let wanted = self.term(field, term);
        let mut places = Vec::new();
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(wanted.field()).map_err(broken)?;
            let option = IndexRecordOption::WithFreqsAndPositions;
            let Some(mut docs) = inverted.read_postings(&wanted, option).map_err(broken)? else { continue };
            while docs.doc() != TERMINATED {
                if let Some(&row) = segment.rows.get(docs.doc() as usize).filter(|row| **row != GONE) {
                    docs.positions(&mut places);
                    each(row, &places);
                }
                docs.advance();
            }
        }
        Ok(())
    }

    fn near(&self, wanted: &Wanted<'_>, each: &mut dyn FnMut(Near)) -> Result<()> {
        let field = self.fields.terms[Field::Word as usize];
        for segment in &self.segments {
            let inverted = segment.reader.inverted_index(field).map_err(broken)?;
            match wanted {
                Wanted::Beginning(word) => {
                    let mut terms = inverted.terms().range().ge(word).into_stream().map_err(broken)?;
                    while let Some((term, found)) = terms.next() {
                        if !term.starts_with(word.as_bytes()) {
                            break;
                        }
                        let term = String::from_utf8_lossy(term).into_owned();
                        each(Near { term, rows: found.doc_freq, distance: 0 });
                    }
                }
                Wanted::Misspelt(_, dfa) => {
                    let mut terms = inverted.terms().search(Steps(dfa)).into_stream().map_err(broken)?;
                    while let Some((term, found)) = terms.next() {
                        if let Distance::Exact(distance) = dfa.eval(term) {
                            let term = String::from_utf8_lossy(term).into_owned();
                            each(Near { term, rows: found.doc_freq, distance });
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// A word's automaton, walked along the dictionary.
struct Steps<'a>(&'a DFA);

impl Automaton for Steps<'_> {
    type State = u32;

    fn start(&self) -> u32 {
        self.0.initial_state()
    }

    fn is_match(&self, state: &u32) -> bool {
        matches!(self.0.distance(*state), Distance::Exact(_))
    }

    fn can_match(&self, state: &u32) -> bool {
        *state != SINK_STATE
    }

    fn accept(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }
}
