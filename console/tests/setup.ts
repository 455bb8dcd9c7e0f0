import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// A page is in chunks, and a chunk may take its time on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// Cloudscape asks the browser for what jsdom lacks.
Object.defineProperty(window, "matchMedia", {
  value: (media: string) => ({
    matches: false,
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }),
});
Object.defineProperty(window, "ResizeObserver", {
  value: class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  },
});
Object.defineProperty(Element.prototype, "scrollIntoView", { value: () => undefined });

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});
