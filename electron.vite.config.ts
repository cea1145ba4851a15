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

export default defineConfig({
  main: {
    build: {
      target: nodeTarget,
      outDir: "out/main",
      sourcemap: true,
      rollupOptions: {
        input: {
          main: at("electron/main.ts"),
          "checkpoint-thread": at("electron/store/checkpoints/thread/checkpoint-thread.ts"),
          "store-worker": at("electron/store/thread/store-worker.ts"),
          "stt-utility": at("electron/stt-utility.ts"),
          "key-hook-utility": at("electron/desktop/keys/key-hook-utility.ts"),
          "fence-utility": at("electron/fence/process/fence-utility.ts"),
          "speech-utility": at("electron/voice/tts/speech-utility.ts"),
          "stt-stdio": at("electron/stt-server/stdio.ts"),
        },
        output: { format: "es" },
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
    plugins: [react(), withoutPolicy],
    // The page's own address is app://parley, so it must be told where the hot reload is.
    server: {
      port: devPort,
      strictPort: true,
      hmr: { protocol: "ws", host: "localhost", clientPort: devPort },
    },
    build: {
      target: chromeTarget,
      outDir: at("out/renderer"),
      sourcemap: true,
      modulePreload: { polyfill: false },
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
