//! The newest memories of a sort, by their places in the catalogue.

use memory_core::kind::Kind;
use memory_core::scope::Scope;
use memory_core::time::Time;
use rusqlite::params_from_iter;
use rusqlite::types::Value;

use super::{Ledger, Row};
use crate::error::Result;

/// Which rows are wanted, newest first; each part that is given narrows them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Newest<'a> {
    pub(crate) kind: Option<&'a Kind>,
    pub(crate) whose: Whose<'a>,
    pub(crate) files: Option<&'a [i64]>,
    pub(crate) since: Option<Time>,
    pub(crate) until: Option<Time>,
    pub(crate) limit: Option<usize>,
}

/// For whom wanted memories are kept.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Whose<'a> {
    /// It does not matter.
    #[default]
    Anybodys,
    /// For all: these have an index of their own.
    Everybodys,
    /// For this scope.
    Of(&'a Scope),
}

impl Newest<'_> {
    /// The condition with its order, and what stands in the places of its parameters.
    fn condition(&self) -> (String, Vec<Value>) {
        let mut parts = vec!["1"];
        let mut values: Vec<Value> = Vec::new();
        let places = self.files.map(|files| format!("file IN ({})", vec!["?"; files.len()].join(",")));
        if let (Some(places), Some(files)) = (&places, self.files) {
            parts.push(places);
            values.extend(files.iter().map(|no| Value::from(*no)));
        }
        if let Some(kind) = self.kind {
            parts.push("kind = ?");
            values.push(kind.word().to_owned().into());
        }
        match self.whose {
            Whose::Anybodys => {}
            Whose::Everybodys => parts.push("scope IN ('project', 'user', 'global')"),
            Whose::Of(scope) => {
                parts.push("scope = ?");
                values.push(scope.to_string().into());
            }
        }
        for (part, moment) in [("created >= ?", self.since), ("created <= ?", self.until)] {
            if let Some(moment) = moment {
                parts.push(part);
                values.push(moment.0.into());
            }
        }
        let mut condition = format!("{} ORDER BY created DESC, id DESC", parts.join(" AND "));
        if let Some(limit) = self.limit {
            condition.push_str(" LIMIT ?");
            values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
        }
        (condition, values)
    }
}

impl Ledger {
    /// The newest of what is wanted, newest first.
    pub(crate) fn newest_rows(&self, newest: &Newest<'_>) -> Result<Vec<Row>> {
        let (condition, values) = newest.condition();
        self.rows(&condition, params_from_iter(values))
    }

    /// Calls a function for each of them, until it answers `false`.
    pub(crate) fn each_newest(
        &self,
        newest: &Newest<'_>,
        each: &mut dyn FnMut(Row) -> Result<bool>,
    ) -> Result<()> {
        let (condition, values) = newest.condition();
        self.each_row(&condition, params_from_iter(values), each)
    }
}
