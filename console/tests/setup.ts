import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";

// A page is in chunks, and a chunk may take its time on a busy machine.
configure({ asyncUtilTimeout: 20_000 });

// Files of tests share a window. Cloudscape asks the browser for what jsdom lacks.
function lacks(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { configurable: true, value });
}

lacks(window, "matchMedia", (media: string) => ({
  matches: false,
  media,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
}));
lacks(
  window,
  "ResizeObserver",
  class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  },
);
lacks(Element.prototype, "scrollIntoView", () => undefined);

/** Words of React about mistakes of a page, since the test began. */
const warnings: string[] = [];

beforeEach(() => {
  const write = console.error;
  vi.spyOn(console, "error").mockImplementation((...words: unknown[]) => {
    const text = words.map(String).join(" ");
    // No page can mend what jsdom lacks, and what a test does not wait for.
    if (!text.includes("Not implemented:") && !text.includes("act(")) warnings.push(text);
    write(...words);
  });
});

afterEach(() => {
  cleanup();
  expect(warnings.splice(0)).toEqual([]);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});
