import { expect, it } from "vitest";

import { placeOf } from "../../src/app/Palette";

it.each([
  ["bwjvcytzr72gxmnvxjbslykqdc.s20261121T091603738Z", "/runs/bwjvcytzr72gxmnvxjbslykqdc.s20261121T091603738Z"],
  ["/jobs", "/jobs"],
  ["nightly report", "/jobs?name=nightly%20report*"],
])("opens the place that %s names", (text, place) => {
  expect(placeOf(text)).toBe(place);
});

it("opens nothing for nothing", () => {
  expect(placeOf("")).toBeNull();
});
