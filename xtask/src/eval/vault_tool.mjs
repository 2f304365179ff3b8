// The search and the snippets of the vault tool, for `cargo xtask eval --context`: pools come in as lines of JSON
// {"docs":[text],"queries":[text]}, and for each a line goes out with the hits of each query as [doc, start, length].

import { createInterface } from 'node:readline';
import MiniSearch from 'minisearch';

const MOST = 400;
const SNIPPET = 120;
const BEFORE = 30;

for await (const line of createInterface({ input: process.stdin })) {
  const { docs, queries } = JSON.parse(line);
  const index = new MiniSearch({ fields: ['content', 'tags'], searchOptions: { fuzzy: 0.2, prefix: true } });
  index.addAll(docs.map((content, id) => ({ id, content, tags: '' })));
  const answers = queries.map((query) =>
    index.search(query).slice(0, MOST).map(({ id }) => [id, ...snippet(docs[id], query)]),
  );
  console.log(JSON.stringify(answers));
}

// 120 characters from a little before the first word of the query that stands in the text.
function snippet(text, query) {
  const lower = text.toLowerCase();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const at = words.map((word) => lower.indexOf(word)).find((place) => place >= 0) ?? -1;
  const start = at >= 0 ? Math.max(0, at - BEFORE) : 0;
  return [start, Math.min(SNIPPET, text.length - start)];
}
