//! The index on disk: terms and postings in tantivy, rows on shelves beside it, both named by one commit.
//!
//! The commit's payload says up to which operation of the ledger it reaches, by which analyser and embedder it was
//! made, and which shelves belong to it. What does not fit, in any respect, is no index: it is built anew.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use levenshtein_automata::{DFA, Distance, SINK_STATE};
use serde::{Deserialize, Serialize};
use tantivy::columnar::{Cardinality, ColumnValues};
use tantivy::directory::{CompositeFile, Directory, MmapDirectory};
use tantivy::index::SegmentComponent;
use tantivy::postings::Postings as _;
use tantivy::schema::{
    FAST, Field as Number, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{DocSet, Index as Tantivy, InvertedIndexReader, SegmentReader, TERMINATED, Term};
use tantivy_fst::Automaton;

use super::guard::guarded;
use super::placed::PlacedTokenizer;
use super::shelf::Shelf;
use super::words::Field;
use super::{Index, Near, Wanted};
use crate::error::{Error, Result};

/// Grows with every change of the schema or of the shelves.
const FORMAT: u32 = 7;

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
    /// Files that could not be read whole then. What they hold is not in it, and comes back without an operation.
    pub(crate) away: Vec<String>,
    pub(super) shelves: Vec<Stood>,
}

/// A shelf that belongs to a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stood {
    pub(super) file: String,
    pub(super) rows: u32,
    /// The digest of its bytes.
    digest: String,
}

impl Stood {
    pub(super) fn new(file: String, rows: usize, bytes: &[u8]) -> Self {
        Self { file, rows: rows as u32, digest: blake3::hash(bytes).to_hex().to_string() }
    }

    /// The shelf as it was written, every byte of it looked at.
    pub(super) fn read(&self, shelves: &MmapDirectory) -> Result<Shelf> {
        let damaged = || broken(format!("`{}` is damaged", self.file));
        let file = shelves.open_read(Path::new(&self.file)).map_err(broken)?;
        let bytes = file.read_bytes().map_err(broken)?;
        if blake3::hash(&bytes).to_hex().as_str() != self.digest {
            return Err(damaged());
        }
        Shelf::open(bytes).ok_or_else(damaged)
    }
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
            away: Vec::new(),
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
    let row = schema.add_u64_field("row", FAST);
    let text = |positions: IndexRecordOption| {
        let how = TextFieldIndexing::default()
            .set_tokenizer(PlacedTokenizer::NAME)
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
    /// Which rows are memories; `None` when all are.
    live: Option<Vec<bool>>,
}

struct Segment {
    reader: SegmentReader,
    /// Which fields have any term.
    filled: CompositeFile,
    rows: Rows,
}

impl Segment {
    fn open(segment: &tantivy::Segment) -> Result<Self> {
        let reader = SegmentReader::open(segment).map_err(broken)?;
        let postings = reader.open_read(SegmentComponent::Postings).map_err(broken)?;
        let filled = CompositeFile::open(&postings).map_err(broken)?;
        let rows = Rows::of(&reader)?;
        Ok(Self { reader, filled, rows })
    }

    /// The terms of a field; `None` when it has none. Tantivy would make an empty dictionary then, which costs more than
    /// all other terms of a question.
    fn terms(&self, field: Number) -> Result<Option<Arc<InvertedIndexReader>>> {
        if self.filled.open_read(field).is_none() {
            return Ok(None);
        }
        self.reader.inverted_index(field).map(Some).map_err(broken)
    }
}

/// The row of each document of a segment. A question with few answers looks up each; many are worth a list.
struct Rows {
    column: Arc<dyn ColumnValues<u64>>,
    documents: u32,
    looked_up: AtomicU32,
    list: OnceLock<Vec<u32>>,
}

/// Documents whose rows are read at once.
const AT_ONCE: usize = 1024;

impl Rows {
    fn of(reader: &SegmentReader) -> Result<Self> {
        let column = reader.fast_fields().u64("row").map_err(broken)?;
        if column.get_cardinality() != Cardinality::Full {
            return Err(broken("a document has no row"));
        }
        let documents = reader.max_doc();
        Ok(Self { column: column.values, documents, looked_up: AtomicU32::new(0), list: OnceLock::new() })
    }

    /// Before so many are looked up.
    fn expect(&self, count: u32) {
        let looked_up = self.looked_up.load(Ordering::Relaxed).saturating_add(count);
        self.looked_up.store(looked_up, Ordering::Relaxed);
        if looked_up > self.documents / 4 {
            self.list.get_or_init(|| {
                let mut list = Vec::with_capacity(self.documents as usize);
                let mut some = [0; AT_ONCE];
                while list.len() < self.documents as usize {
                    let count = AT_ONCE.min(self.documents as usize - list.len());
                    self.column.get_range(list.len() as u64, &mut some[..count]);
                    list.extend(some[..count].iter().map(|&row| row as u32));
                }
                list
            });
        }
    }

    fn at(&self, document: u32) -> u32 {
        match self.list.get() {
            Some(list) => list.get(document as usize).copied().unwrap_or(u32::MAX),
            None => self.column.get_val(document) as u32,
        }
    }
}

/// Opens the index in a folder; `Ok(None)` when there is none, an error when there is one that cannot be used.
pub(crate) fn open(index: &Path, model: &str) -> Result<Option<OnDisk>> {
    let mut last = None;
    // The generation may be replaced, and segments merged away, between two looks.
    for _ in 0..4 {
        match guarded(|| open_once(index, model)) {
            Some(Ok(opened)) => return Ok(opened),
            Some(Err(error)) => last = Some(error),
            None => last = Some(broken("it is damaged")),
        }
    }
    last.map_or(Ok(None), Err)
}

/// What the index in a folder says of itself, without opening the rest; `None` when there is none that could be used.
pub(crate) fn marked(index: &Path, model: &str) -> Option<Marked> {
    let folder = index.join(generation(index)?);
    let metas = guarded(|| {
        let tantivy = Tantivy::open(MmapDirectory::open(&folder).ok()?).ok()?;
        tantivy.load_metas().ok()
    });
    let marked: Marked = serde_json::from_str(&metas??.payload?).ok()?;
    marked.fits(model).then_some(marked)
}

fn open_once(index: &Path, model: &str) -> Result<Option<OnDisk>> {
    let Some(folder) = generation(index).map(|name| index.join(name)) else { return Ok(None) };
    let directory = MmapDirectory::open(&folder).map_err(broken)?;
    let tantivy = Tantivy::open(directory.clone()).map_err(broken)?;
    let metas = tantivy.load_metas().map_err(broken)?;
    let marked: Marked =
        serde_json::from_str(metas.payload.as_deref().unwrap_or_default()).map_err(broken)?;
    if !marked.fits(model) {
        return Err(broken("it was made by another version"));
    }
    let mut shelves = Vec::with_capacity(marked.shelves.len());
    for stood in &marked.shelves {
        let file = directory.open_read(&Path::new(SHELVES).join(&stood.file)).map_err(broken)?;
        let bytes = file.read_bytes().map_err(broken)?;
        let shelf = Shelf::open(bytes).filter(|shelf| shelf.rows() == stood.rows as usize);
        shelves.push(shelf.ok_or_else(|| broken(format!("`{}` is damaged", stood.file)))?);
    }
    let mut segments = Vec::new();
    for meta in metas.segments {
        segments.push(Segment::open(&tantivy.segment(meta))?);
    }
    let live = live(&segments, shelves.iter().map(Shelf::rows).sum())?;
    let (_, fields) = schema();
    Ok(Some(OnDisk { tantivy, folder, marked, fields, segments, shelves, live }))
}

/// Which of so many rows are memories; `None` when all are.
fn live(segments: &[Segment], rows: usize) -> Result<Option<Vec<bool>>> {
    let missing = || broken("a row is not on its shelf");
    let mut documents = 0;
    for segment in segments.iter().filter(|segment| segment.reader.max_doc() > 0) {
        documents += segment.reader.num_docs() as usize;
        if segment.rows.column.max_value() >= rows as u64 {
            return Err(missing());
        }
    }
    if documents == rows {
        return Ok(None);
    }
    let mut live = vec![false; rows];
    for segment in segments {
        for document in segment.reader.doc_ids_alive() {
            let row = segment.rows.column.get_val(document) as usize;
            *live.get_mut(row).ok_or_else(missing)? = true;
        }
    }
    Ok(Some(live))
}

/// The folder of the generation in use, inside that of the index.
pub(super) fn generation(index: &Path) -> Option<String> {
    let directory = MmapDirectory::open(index).ok()?;
    let name = String::from_utf8(directory.atomic_read(Path::new(CURRENT)).ok()?).ok()?;
    let sound = name.starts_with("g-") && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    sound.then_some(name)
}

/// An error of the index, which never reaches a person: it is built anew.
#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
pub(super) fn broken(why: impl ToString) -> Error {
    let why = why.to_string();
    // Some errors of the library quote the whole file.
    let short: String = why.lines().next().unwrap_or_default().chars().take(100).collect();
    Error::Index { why: if short.len() < why.len() { format!("{short}…") } else { short } }
}

/// What is wrong with the index, without what to do about it.
pub(crate) fn why_not(error: Error) -> String {
    match error {
        Error::Index { why } => why,
        error => error.to_string(),
    }
}

impl OnDisk {
    /// Takes rows out of the answers: the memories with these ids have changed since.
    pub(crate) fn supersede<'a>(&mut self, ids: impl Iterator<Item = &'a str>) -> Result<()> {
        for id in ids {
            let term = Term::from_field_text(self.fields.id, id);
            for segment in &self.segments {
                let Some(inverted) = segment.terms(self.fields.id)? else { continue };
                let Some(mut docs) =
                    inverted.read_postings(&term, IndexRecordOption::Basic).map_err(broken)?
                else {
                    continue;
                };
                while docs.doc() != TERMINATED {
                    let rows = self.shelves.iter().map(Shelf::rows).sum();
                    let live = self.live.get_or_insert_with(|| vec![true; rows]);
                    if let Some(live) = live.get_mut(segment.rows.at(docs.doc()) as usize) {
                        *live = false;
                    }
                    docs.advance();
                }
            }
        }
        Ok(())
    }

    /// How many segments, shelves and rows there are, and how many of the rows live.
    pub(crate) fn counts(&self) -> [usize; 4] {
        let rows = self.shelves.iter().map(Shelf::rows).sum();
        let live = self.live.as_ref().map_or(rows, |live| live.iter().filter(|live| **live).count());
        [self.segments.len(), self.shelves.len(), rows, live]
    }

    /// A file whose bytes are not those that were written, if there is one. Reads all of them.
    pub(crate) fn damaged_file(&self) -> Option<String> {
        let name = |path: &PathBuf| path.display().to_string();
        let damaged = match self.tantivy.validate_checksum() {
            Ok(damaged) => damaged.iter().min().map(name),
            Err(error) => Some(error.to_string()),
        };
        damaged.or_else(|| {
            let shelves = MmapDirectory::open(self.folder.join(SHELVES)).map_err(broken);
            let damaged = |stood: &&Stood| shelves.as_ref().is_ok_and(|shelves| stood.read(shelves).is_err());
            self.marked.shelves.iter().find(damaged).map(|stood| format!("{SHELVES}/{}", stood.file))
        })
    }

    fn is_live(&self, row: u32) -> bool {
        self.live.as_ref().is_none_or(|live| live.get(row as usize).copied().unwrap_or(false))
    }

    fn term(&self, field: Field, term: &str) -> Term {
        Term::from_field_text(self.fields.terms[field as usize], term)
    }
}

impl Index for OnDisk {
    fn shelves(&self) -> &[Shelf] {
        &self.shelves
    }

    fn live(&self) -> Option<&[bool]> {
        self.live.as_deref()
    }

    fn knows(&self, field: Field, term: &str) -> Result<bool> {
        let wanted = self.term(field, term);
        for segment in &self.segments {
            if let Some(inverted) = segment.terms(wanted.field())?
                && inverted.get_term_info(&wanted).map_err(broken)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn postings(&self, field: Field, term: &str, each: &mut dyn FnMut(u32, u32)) -> Result<()> {
        let wanted = self.term(field, term);
        for segment in &self.segments {
            let Some(inverted) = segment.terms(wanted.field())? else { continue };
            let Some(info) = inverted.get_term_info(&wanted).map_err(broken)? else { continue };
            let blocks = inverted.read_block_postings_from_terminfo(&info, IndexRecordOption::WithFreqs);
            let mut blocks = blocks.map_err(broken)?;
            segment.rows.expect(info.doc_freq);
            while blocks.block_len() > 0 {
                // Of tags it is not kept how often they stand.
                let often = blocks.freqs().iter().copied().chain(std::iter::repeat(1));
                for (&doc, often) in blocks.docs().iter().zip(often) {
                    let row = segment.rows.at(doc);
                    if self.is_live(row) {
                        each(row, often);
                    }
                }
                blocks.advance();
            }
        }
        Ok(())
    }

    fn positions(
        &self,
        field: Field,
        term: &str,
        wanted_row: &dyn Fn(u32) -> bool,
        each: &mut dyn FnMut(u32, &[u32]),
    ) -> Result<()> {
        let wanted = self.term(field, term);
        let mut places = Vec::new();
        for segment in &self.segments {
            let Some(inverted) = segment.terms(wanted.field())? else { continue };
            let option = IndexRecordOption::WithFreqsAndPositions;
            let Some(mut docs) = inverted.read_postings(&wanted, option).map_err(broken)? else { continue };
            segment.rows.expect(docs.size_hint());
            while docs.doc() != TERMINATED {
                let row = segment.rows.at(docs.doc());
                if wanted_row(row) && self.is_live(row) {
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
            let Some(inverted) = segment.terms(field)? else { continue };
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
