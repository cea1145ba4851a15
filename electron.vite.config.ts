import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";

const at = (path: string) => resolve(import.meta.dirname, path);

// The build targets are the older of the two runtimes we run on, set by hand: read from the installed
// `electron` package they would allow syntax that the test runtime does not know.
const nodeTarget = "node20.18";
const chromeTarget = "chrome130";

const devPort = 5173;
/** Hot reload puts inline scripts into the pages, which their strict policy refuses. Only while developing. */
const withoutPolicy: Plugin = {
  name: "without-policy",
  apply: "serve",
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ""),
};

/** Of the fonts of formulas only those that Chromium reads are shipped. */
const onlyWoff2: Plugin = {
  name: "only-woff2",
  enforce: "pre",
  transform: (code, id) =>
    id.includes("katex") && id.endsWith(".css")
      ? code.replaceAll(/,url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, "")
      : undefined,
};

/**
 * What main loads at its start becomes part of its own files: to find and read hundreds of modules one by one took longer
 * than to run them. The rest stays in `node_modules`: native code, what is found by its path, and what is loaded later.
 */
const bundled = [
  "@anthropic-ai/sdk",
  "@modelcontextprotocol/sdk",
  "diff",
  "dotenv",
  "electron-log",
  "electron-store",
  "eventsource-parser",
  "fastest-levenshtein",
  "ipaddr.js",
  "mdast-util-from-markdown",
  "mdast-util-gfm",
  "micromark-extension-gfm",
  "p-queue",
  "tinyglobby",
  "ulid",
  "unbash",
  "zod",
];

export default defineConfig({
  main: {
    build: {
      externalizeDeps: { exclude: bundled },
      target: nodeTarget,
      outDir: "out/main",
      sourcemap: true,
      rollupOptions: {
        input: {
          main: at("electron/entry.ts"),
          "checkpoint-thread": at("electron/store/checkpoints/thread/checkpoint-thread.ts"),
          "store-worker": at("electron/store/thread/store-worker.ts"),
          "page-thread": at("electron/tools/web/page-thread.ts"),
          "stt-utility": at("electron/stt-utility.ts"),
          "key-hook-utility": at("electron/desktop/keys/key-hook-utility.ts"),
          "fence-utility": at("electron/fence/process/fence-utility.ts"),
          "speech-utility": at("electron/voice/tts/speech-utility.ts"),
          "stt-stdio": at("electron/stt-server/stdio.ts"),
        },
        // Half as much to read at the start; names stay, for the log's stack traces.
        output: {
          format: "es",
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  },
  preload: {
    build: {
      target: nodeTarget,
      outDir: "out/preload",
      sourcemap: true,
      // A sandboxed preload can require nothing but `electron`, and must be CommonJS.
      rollupOptions: { input: { preload: at("electron/preload.ts") }, output: { format: "cjs" } },
    },
  },
  renderer: {
    root: at("renderer"),
    plugins: [react(), withoutPolicy, onlyWoff2],
    // The one for browsers lets the page parse the formula's styles, which its policy refuses.
    resolve: {
      alias: {
        "hast-util-from-html-isomorphic": at("node_modules/hast-util-from-html-isomorphic/index.js"),
      },
    },
    // The page's own address is app://parley, so it must be told where the hot reload is.
    server: {
      port: devPort,
      strictPort: true,
      hmr: { protocol: "ws", host: "localhost", clientPort: devPort },
    },
    build: {
      target: chromeTarget,
      minify: true,
      outDir: at("out/renderer"),
      sourcemap: true,
      modulePreload: { polyfill: false },
      // A font within a style would need a policy that lets styles bring fonts.
      assetsInlineLimit: (path) => (path.endsWith(".woff2") ? false : undefined),
      rollupOptions: {
        input: {
          main: at("renderer/main/index.html"),
          quick: at("renderer/quick/index.html"),
          audio: at("renderer/audio/index.html"),
        },
      },
    },
  },
});
