// MiniSearch for `cargo xtask bench search`: `build PLACE` makes the index of PLACE/notes.jsonl, writes it, and asks the
// questions of PLACE/plan.json; `cold PLACE QUERY` loads what was written and answers one question, as a program would.

import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import MiniSearch from 'minisearch';

const options = {
  fields: ['body', 'tags'],
  searchOptions: { fuzzy: 0.2, prefix: true, combineWith: 'OR' },
};

const [mode, place, query] = process.argv.slice(2);
const file = `${place}/minisearch.json`;

if (mode === 'build') {
  await build();
} else {
  const index = MiniSearch.loadJSON(readFileSync(file, 'utf8'), options);
  console.log(JSON.stringify(index.search(query).slice(0, 10)));
}

async function build() {
  const begun = performance.now();
  const index = new MiniSearch(options);
  for await (const line of createInterface({ input: createReadStream(`${place}/notes.jsonl`) })) {
    index.add(JSON.parse(line));
  }
  const bytes = write(index);
  const seconds = (performance.now() - begun) / 1000;
  const peak = peakMb();
  console.log(JSON.stringify({ seconds, index_bytes: bytes, peak_mb: peak, warm: ask(index) }));
}

// Text that is longer than a string may be cannot be written, and so not be loaded either.
function write(index) {
  try {
    const text = JSON.stringify(index);
    writeFileSync(file, text);
    return text.length;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function ask(index) {
  const { pace, before, queries } = JSON.parse(readFileSync(`${place}/plan.json`, 'utf8'));
  const warm = {};
  for (const [sort, all] of Object.entries(queries)) {
    for (const { text } of all.slice(0, before)) index.search(text);
    const ms = [];
    let found = 0;
    const begun = performance.now();
    for (const { text, note } of all.slice(before, before + pace.warm)) {
      if (performance.now() - begun > pace.seconds * 1000 && ms.length >= pace.least) break;
      const start = performance.now();
      const hits = index.search(text).slice(0, 10);
      ms.push(performance.now() - start);
      if (sort === 'prefix' ? hits.length > 0 : hits.some((hit) => hit.id === note)) found += 1;
    }
    warm[sort] = { ms, found };
  }
  return warm;
}

// What the system counts for the process itself; usage figures may hold those of the process that started it.
function peakMb() {
  try {
    const line = readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\s+(\d+) kB/);
    return line ? Number(line[1]) / 1024 : null;
  } catch {
    return null;
  }
}
