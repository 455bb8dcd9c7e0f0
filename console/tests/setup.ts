import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

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
Object.defineProperty(Element.prototype, "scrollIntoView", { value: () => undefined });

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});
