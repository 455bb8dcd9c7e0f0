import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

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

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});
