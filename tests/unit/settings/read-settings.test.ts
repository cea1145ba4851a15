import { expect, test } from "vitest";
import { readSettings, strictest } from "../../../electron/settings/read-settings.ts";
import {
  defaultCheckpointIgnore,
  defaultSettings,
  defaultToolLineLimits,
  defaultToolOutputLimits,
  settingsShape,
} from "../../../shared/settings.ts";

/** Every key with its documented default and a value that breaks its rule. */
const documented: [string, unknown, unknown][] = [
  ["provider", "auto", "skynet"],
  ["model", "opus", ""],
  ["effort", "default", "most"],
  ["announceReplies", "sentences", "loudly"],
  ["questionMarkShowsKeys", true, "no"],
  ["anthropicBaseUrl", undefined, "not a url"],
  ["openaiBaseUrl", undefined, "not a url"],
  ["maxTokens", 8192, 0],
  ["temperature", 1, 2.1],
  ["contextWindow", undefined, 10],
  ["retryMax", 5, -1],
  ["retryBaseMs", 1000, -1],
  ["retryCapMs", 60_000, "a minute"],
  ["requestTimeoutMs", 600_000, 1.5],
  ["streamIdleMs", 60_000, -1],
  ["maxParallelTools", 8, 0],
  ["maxToolResultChars", 40_000, -1],
  ["toolOutputLimits", defaultToolOutputLimits, { shell: -1 }],
  ["toolLineLimits", defaultToolLineLimits, { shell: "all" }],
  ["maxConversationMessages", 50, -1],
  ["compactionStrategy", "summarize", "shrink"],
  ["compactionRatio", 0.8, 1.1],
  ["compactionThresholdTokens", 80_000, 0],
  ["protectedTailMessages", 6, 0],
  ["maxToolRoundsPerInput", 0, -1],
  ["maxTurns", 0, -1],
  ["maxContinuations", 3, -1],
  ["maxSessionTokens", 0, -1],
  ["maxSessionUsd", 0, -0.1],
  ["prices", {}, { "some-model": { input: 1 } }],
  ["loopDetection", "stop", "maybe"],
  ["loopWarnAt", 3, 1],
  ["loopStopAt", 5, 1],
  ["loopWindow", 15, 1],
  ["maxSubagentDepth", 1, -1],
  ["shellTimeoutMs", 120_000, 600_001],
  ["environmentPolicy", "filtered", "some"],
  ["webFetchPrivate", false, "yes"],
  ["checkSpelling", false, "yes"],
  ["quickShortcut", "Alt+Space", "Space"],
  ["startAtLogin", false, "yes"],
  ["openLinks", true, "yes"],
  ["lookForUpdates", true, "yes"],
  ["notifyFinished", true, "no"],
  ["firstRun", true, "yes"],
  ["attachMaxImages", 5, 21],
  ["attachMaxImageBytes", 3_750_000, 0],
  ["attachMaxImageSidePx", 8000, 0],
  ["systemPromptExtra", "", 7],
  ["memoryEnabled", true, "yes"],
  ["mcpServers", {}, "npx"],
  ["startWith", "last", "first"],
  ["durability", "normal", "best"],
  ["pruneEnabled", true, "no"],
  ["pruneSessionDays", 0, -1],
  ["pruneMaxSessions", 0, -1],
  ["pruneEventDays", 90, -1],
  ["pruneCheckpointDays", 30, -1],
  ["pruneCheckpointMb", 1024, -1],
  ["checkpointsEnabled", true, "no"],
  ["checkpointMaxFiles", 20_000, 0],
  ["checkpointMaxMb", 200, 0],
  ["checkpointMaxFileMb", 5, 0],
  ["checkpointLargeMb", 2000, -1],
  ["checkpointFreeMb", 2000, "all"],
  ["deleteLimit", 100, -1],
  ["checkpointIgnore", defaultCheckpointIgnore, [""]],
  ["workingFolder", "~/Parley", ""],
  ["logLevel", "info", "loud"],
  ["logSinks", ["console", "file"], ["printer"]],
  ["permissionMode", "ask", "yolo"],
  ["fence", "on", "maybe"],
  ["fence.readable", [], [""]],
  ["fence.maxProcesses", 512, 1],
  ["fence.maxMemoryMb", 0, -1],
  ["fence.minFreeDiskMb", 500, -1],
  ["permissionRules", [], "all"],
  ["localModelServers", [], [""]],
  ["keyAddresses", [], [""]],
  ["theme", "system", "blue"],
  ["voice.source", "microphone", "file"],
  ["voice.server", "built-in", ""],
  ["voice.microphone", "", 1],
  ["voice.serverMicrophones", {}, "yeti"],
  ["voice.model", "", 1],
  ["voice.language", "en", "e"],
  ["voice.endpointingMs", 500, 50],
  ["voice.utteranceEndMs", 1000, 50],
  ["voice.maxUtteranceMs", 30_000, 10],
  ["voice.minConfidence", 0.3, 1.1],
  ["voice.whileBusy", "queue", "drop"],
  ["voice.stopWords", ["stop", "wait", "cancel", "never mind"], "stop"],
  ["voice.words", [], "Mirelle"],
  ["voice.repair", "auto", "always"],
  ["voice.repairMs", 600, 99],
  ["voice.learnWords", true, "yes"],
  ["voice.mergeWindowMs", 600, -1],
  ["voice.queueMax", 20, 0],
  ["voice.reviewMs", 0, -1],
  ["voice.speak", "spoken", "sometimes"],
  ["voice.voice", "slt", "hal"],
  ["voice.speaker", 0, -1],
  ["voice.declined", [], "voice"],
  ["voice.spokenLength", "short", "long"],
  ["voice.rate", 1, 3],
  ["voice.volume", 1, 2],
  ["voice.chime", false, "loud"],
  ["voice.pushToTalk", "off", "always"],
  ["voice.pushToTalkKey", "F9", "A"],
  ["voice.wakePhrase", "", "x".repeat(101)],
  ["voice.record", false, "yes"],
  ["voice.recordKeepDays", 7, -1],
];

test("an empty file gives the documented defaults, and no key is missing from the list", () => {
  expect(readSettings({})).toEqual({ settings: defaultSettings, problems: [] });
  expect(Object.keys(settingsShape).sort()).toEqual(documented.map(([key]) => key).sort());
});

test.each(documented)("%s is %j unless it is set, and a wrong value leaves it so", (key, value, wrong) => {
  expect(Reflect.get(defaultSettings, key)).toEqual(value);
  const { settings, problems } = readSettings({ [key]: wrong });
  expect(Reflect.get(settings, key)).toEqual(Reflect.get(strictest, key) ?? value);
  expect(problems).toMatchObject([{ code: "invalid_setting", message: expect.stringContaining(`“${key}”`) }]);
});

test("the ancestors' long waits between retries are possible", () => {
  const slow = { retryBaseMs: 10_000, retryCapMs: 320_000 };
  expect(readSettings(slow)).toMatchObject({ settings: slow, problems: [] });
});

test("a wrong value costs its own default only, and is named with its rule", () => {
  const { settings, problems } = readSettings({
    maxTokens: -3,
    model: "haiku",
    "voice.endpointingMs": "soon",
  });
  expect(settings).toMatchObject({ maxTokens: 8192, model: "haiku", "voice.endpointingMs": 500 });
  expect(problems.map((problem) => problem.message)).toEqual([
    expect.stringMatching(/“maxTokens” is -3: .*>=1/),
    expect.stringMatching(/“voice.endpointingMs” is "soon": .*number/),
  ]);
});

test("an unknown provider is answered with those there are", () => {
  const [problem] = readSettings({ provider: "skynet" }).problems;
  for (const name of ["auto", "anthropic", "offline"]) expect(problem?.message).toContain(name);
});

test("a misspelt key is named instead of ignored in silence", () => {
  expect(readSettings({ modle: "opus" }).problems[0]?.message).toBe("There is no setting “modle”.");
});

test("what a run holds cannot change under it", () => {
  expect(Object.isFrozen(readSettings({}).settings)).toBe(true);
});

// Bug: one misspelt rule took all others with it, those that deny included.
test("a permission rule that cannot be read makes everything ask, and the others stay", () => {
  const deny = { verdict: "deny", command: "rm" };
  const { settings } = readSettings({ permissionRules: [deny, { verdict: "deny", comand: "sudo" }] });
  expect(settings.permissionRules).toEqual([deny, { verdict: "ask", tool: "*" }]);
});
