// Holds the build to its budgets: bytes that a first load and each page take, compressed.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const FIRST_LOAD = 500 * 1024;
const PAGE = 100 * 1024;
/** Loaded when a graph is shown, beside its page: the layout of DAGs. */
const APART = /^(elk|layout)/;

const assets = new URL("../dist/assets/", import.meta.url);
const size = (name) => gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).length;
const manifest = JSON.parse(readFileSync(new URL("../build/chunks.json", import.meta.url)));

const filesOf = (key, seen = new Set()) => {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(key)) return new Set();
  seen.add(key);
  const files = new Set([chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]);
  for (const each of chunk.imports ?? []) for (const file of filesOf(each, seen)) files.add(file);
  return files;
};
const total = (files) => [...files].reduce((sum, file) => sum + size(file.replace("assets/", "")), 0);

const entry = filesOf("index.html");
const rows = [["first load", total(entry), FIRST_LOAD]];
for (const [key, chunk] of Object.entries(manifest)) {
  if (chunk.isDynamicEntry !== true) continue;
  const more = new Set([...filesOf(key)].filter((file) => !entry.has(file)));
  if (!APART.test(chunk.name)) rows.push([chunk.name, total(more), PAGE]);
}
let over = 0;
for (const [name, bytes, most] of rows) {
  const verdict = bytes > most ? "too large" : "";
  over += bytes > most ? 1 : 0;
  console.log(`${name.padEnd(24)} ${String(Math.ceil(bytes / 1024)).padStart(5)} KB of ${most / 1024} ${verdict}`);
}
if (readdirSync(assets).length === 0 || over > 0) process.exit(1);
