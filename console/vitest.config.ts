import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { defineConfig, mergeConfig } from "vitest/config";

import build from "./vite.config.ts";

const TESTS = readdirSync(join(import.meta.dirname, "tests"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `tests/${file}`);

/** Tests that replace modules: one that another file has loaded already would not be replaced. */
const REPLACING = TESTS.filter((file) => readFileSync(join(import.meta.dirname, file), "utf8").includes("vi.mock("));

export default mergeConfig(
  build,
  defineConfig({
    test: {
      environment: "jsdom",
      setupFiles: ["tests/setup.ts"],
      restoreMocks: true,
      // A busy machine takes seconds to render a page in jsdom.
      testTimeout: 60_000,
      projects: [
        // Files share the libraries and the window of their process: each would load them for itself.
        { extends: true, test: { name: "sharing", include: TESTS.filter((file) => !REPLACING.includes(file)), isolate: false } },
        { extends: true, test: { name: "replacing", include: REPLACING } },
      ],
    },
  }),
);
