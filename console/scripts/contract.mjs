// Writes the schemas that a new job is made of, from the API's description: the form follows them.
import { readFileSync, writeFileSync } from "node:fs";

const description = JSON.parse(readFileSync(new URL("../../docs/reference/openapi.json", import.meta.url)));
const { schemas } = description.components;
const found = {};

const collect = (name) => {
  if (name in found) return;
  found[name] = schemas[name];
  for (const [, other] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) collect(other);
};
collect("NewJob");
writeFileSync(new URL("../src/api/newJob.json", import.meta.url), JSON.stringify(found));
