import { expect, it } from "vitest";

import { readSettings } from "../../src/auth/settings";

const WHOLE = {
  stage: "prod",
  api_url: "https://api.example.com",
  authorize_url: "https://issuer.example.com/authorize",
  token_url: "https://issuer.example.com/token",
  logout_url: "https://issuer.example.com/logout",
  client_id: "console",
  scopes: ["timegate/read"],
};
const reading = (body: string) => readSettings(() => Promise.resolve(new Response(body)));

it.each([
  [{ client_id: undefined }, "client_id"],
  [{ scopes: undefined }, "scopes"],
  [{ stage: undefined, scopes: "timegate/read" }, "stage, scopes"],
])("names what a file without %j lacks, and nothing else", async (change, lacking) => {
  await expect(reading(JSON.stringify({ ...WHOLE, ...change }))).rejects.toThrow(`/config.json lacks ${lacking}: deploy the console again.`);
});

it.each(["<!doctype html>", "null", '"a text"'])("says that %s is no description of a stage", async (body) => {
  await expect(reading(body)).rejects.toThrow("/config.json is no object of JSON: deploy the console again.");
});

it("reads a whole file", async () => {
  expect(await reading(JSON.stringify(WHOLE))).toEqual(WHOLE);
});
