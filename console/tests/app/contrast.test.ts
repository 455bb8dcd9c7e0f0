import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

const SHEET = readFileSync(join(import.meta.dirname, "../../src/pages/shared/tokens.css"), "utf8");
const HEAT = readFileSync(join(import.meta.dirname, "../../src/pages/overview/overview.css"), "utf8");
const SURFACES = ["surface", "sunken", "sunken-solid"];

/** Colours of a mode by their names; dark takes those over that it does not name. */
function coloursOf(selector: string): Record<string, string> {
  const block = SHEET.split(`${selector} {`)[1]?.split("}")[0] ?? "";
  return Object.fromEntries([...block.matchAll(/--tg-([\w-]+): (#\w+);/g)].map(([, name = "", colour = ""]) => [name, colour]));
}

/** Relative luminance (WCAG 2.2): "#fff" is 1. */
function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.replaceAll(/\w/g, "$&$&") : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes two colours as `color-mix(in srgb, one share, other)` does. */
function mixed(one: string, other: string, share: number): string {
  const parts = (colour: string): number[] =>
    (colour.length === 4 ? colour.replaceAll(/\w/g, "$&$&") : colour).match(/\w\w/g)?.map((part) => Number.parseInt(part, 16)) ?? [];
  const others = parts(other);
  const mix = parts(one).map((part, index) => Math.round(part * share + (others[index] ?? 0) * (1 - share)));
  return `#${mix.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each([[":root"], [".awsui-dark-mode"]])("colours of %s", (selector) => {
  const colours = coloursOf(selector);
  const of = (name: string): string => colours[name] ?? "";
  const least = (name: string): number => Math.min(...SURFACES.map((surface) => contrast(of(name), of(surface))));

  it.each(["text", "muted-text"])("%s is read on every surface", (name) => {
    expect(least(name)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["work", "wait", "wait-light", "success", "error", "warning", "focus", "muted"])("%s is seen on every surface", (name) => {
    expect(least(name)).toBeGreaterThanOrEqual(3);
  });

  it.each([1, 2, 3, 4, 5])("numbers of a heat map are read on its colour %i", (level) => {
    const [rule = ""] = HEAT.split(`.tg-heat-${level} {`)[1]?.split("}") ?? [];
    const share = Number(/work\) (\d+)%/.exec(rule)?.[1] ?? 100) / 100;
    const text = /[^-]color: var\(--tg-([\w-]+)\)/.exec(rule)?.[1] ?? "text";

    expect(contrast(of(text), mixed(of("work"), of("surface"), share))).toBeGreaterThanOrEqual(4.5);
  });

  it("words of covered days are read on them", () => {
    expect(contrast(of("covered-text"), of("covered"))).toBeGreaterThanOrEqual(4.5);
  });
});
