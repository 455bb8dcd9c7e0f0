import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";

import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

import { withoutOtherFaces } from "./scripts/faces.ts";

/** Keeps the list of chunks beside what is served: it names places of this machine. */
function listApart(): Plugin {
  let from = "", to = "";
  return {
    name: "list-apart",
    configResolved: ({ root, build }) => {
      from = join(root, build.outDir, ".vite");
      to = join(root, "build");
    },
    // A build that fails closes its bundle as well, and has written no list.
    writeBundle: () => {
      mkdirSync(to, { recursive: true });
      renameSync(join(from, "manifest.json"), join(to, "chunks.json"));
      rmdirSync(from);
    },
  };
}

/** Builds Cloudscape's style sheet without the faces that no page is written in. */
function fewerFaces(): Plugin {
  return {
    name: "fewer-faces",
    enforce: "pre",
    transform: (code, id) => (id.includes("global-styles/index.css") ? withoutOtherFaces(code) : undefined),
  };
}

// Everything is served from the console's own origin: nothing is fetched from elsewhere.
export default defineConfig({
  plugins: [react(), fewerFaces(), listApart()],
  build: { target: "es2022", assetsInlineLimit: 0, reportCompressedSize: false, manifest: true, chunkSizeWarningLimit: 1_000 },
});
