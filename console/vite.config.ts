import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Everything is served from the console's own origin: nothing is fetched from elsewhere.
export default defineConfig({
  plugins: [react()],
  build: { target: "es2022", assetsInlineLimit: 0, reportCompressedSize: false, manifest: true, chunkSizeWarningLimit: 1_000 },
  test: {
    environment: "jsdom",
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/setup.ts"],
    restoreMocks: true,
    // A busy machine takes seconds to render a page in jsdom.
    testTimeout: 30_000,
  },
});
