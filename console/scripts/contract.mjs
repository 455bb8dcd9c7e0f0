// Writes the schemas that forms are made of, from the API's description: a form follows them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

/** The contract of each form, by the name of its file. */
const ROOTS = {
  newJob: "NewJob",
  rule: "RuleBody",
  eventTrigger: "EventTriggerBody",
  newDag: "NewDag",
};

const description = JSON.parse(readFileSync(new URL("../../docs/reference/openapi.json", import.meta.url)));
const { schemas } = description.components;

const collect = (name, found = {}) => {
  if (name in found) return found;
  found[name] = schemas[name];
  for (const [, other] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) collect(other, found);
  return found;
};

// Forms show descriptions as they are: marks of code are for pages that render Markdown.
const plain = (key, value) => (key === "description" && typeof value === "string" ? value.replaceAll("`", "") : value);

const folder = new URL("../src/api/contracts/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [file, root] of Object.entries(ROOTS)) {
  writeFileSync(new URL(`${file}.json`, folder), JSON.stringify(collect(root), plain));
}
