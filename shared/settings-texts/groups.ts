import type { SettingKey } from "../settings.ts";

/** The sections of the settings page, in its order. */
export const settingSections = [
  "general",
  "models",
  "voice",
  "permissions",
  "servers",
  "shortcuts",
  "data",
  "about",
] as const;
export type SettingSection = (typeof settingSections)[number];

/** Settings that stand together, in the page and in docs/settings.md. */
export interface SettingGroup {
  section: SettingSection;
  title: string;
  keys: readonly SettingKey[];
}

export const settingGroups: readonly SettingGroup[] = [
  {
    section: "general",
    title: "Window and start",
    keys: [
      "theme",
      "startAtLogin",
      "openLinks",
      "lookForUpdates",
      "notifyFinished",
      "announceReplies",
      "questionMarkShowsKeys",
      "firstRun",
      "startWith",
      "workingFolder",
      "checkSpelling",
      "systemPromptExtra",
    ],
  },
  {
    section: "general",
    title: "Tools",
    keys: [
      "maxParallelTools",
      "maxSubagentDepth",
      "maxToolResultChars",
      "toolOutputLimits",
      "toolLineLimits",
      "attachMaxImages",
      "attachMaxImageBytes",
      "attachMaxImageSidePx",
    ],
  },
  {
    section: "general",
    title: "When a model repeats itself",
    keys: ["loopDetection", "loopWarnAt", "loopStopAt", "loopWindow"],
  },
  { section: "models", title: "New conversations", keys: ["provider", "model", "effort", "temperature"] },
  {
    section: "models",
    title: "Addresses",
    keys: ["anthropicBaseUrl", "openaiBaseUrl", "localModelServers", "keyAddresses"],
  },
  {
    section: "models",
    title: "Limits",
    keys: [
      "maxTokens",
      "contextWindow",
      "maxSessionTokens",
      "maxSessionUsd",
      "prices",
      "maxToolRoundsPerInput",
      "maxTurns",
      "maxContinuations",
    ],
  },
  {
    section: "models",
    title: "Long conversations",
    keys: [
      "compactionStrategy",
      "compactionRatio",
      "compactionThresholdTokens",
      "protectedTailMessages",
      "maxConversationMessages",
    ],
  },
  {
    section: "models",
    title: "Requests",
    keys: ["retryMax", "retryBaseMs", "retryCapMs", "requestTimeoutMs", "streamIdleMs"],
  },
  {
    section: "voice",
    title: "Listening",
    keys: [
      "voice.source",
      "voice.microphone",
      "voice.language",
      "voice.model",
      "voice.server",
      "voice.serverMicrophones",
      "voice.pushToTalk",
      "voice.wakePhrase",
      "voice.chime",
    ],
  },
  {
    section: "voice",
    title: "When you finish speaking",
    keys: [
      "voice.endpointingMs",
      "voice.utteranceEndMs",
      "voice.maxUtteranceMs",
      "voice.mergeWindowMs",
      "voice.reviewMs",
      "voice.minConfidence",
      "voice.whileBusy",
      "voice.queueMax",
      "voice.stopWords",
    ],
  },
  {
    section: "voice",
    title: "Words",
    keys: ["voice.words", "voice.learnWords", "voice.repair", "voice.repairMs"],
  },
  {
    section: "voice",
    title: "Speaking",
    keys: ["voice.speak", "voice.spokenLength", "voice.voice", "voice.speaker", "voice.rate", "voice.volume"],
  },
  {
    section: "voice",
    title: "Recordings and offers",
    keys: ["voice.record", "voice.recordKeepDays", "voice.declined"],
  },
  { section: "permissions", title: "Level", keys: ["permissionMode"] },
  {
    section: "permissions",
    title: "Fence",
    keys: ["fence", "fence.readable", "fence.maxProcesses", "fence.maxMemoryMb", "fence.minFreeDiskMb"],
  },
  { section: "permissions", title: "Rules", keys: ["permissionRules"] },
  {
    section: "permissions",
    title: "Commands and network",
    keys: ["shellTimeoutMs", "environmentPolicy", "webFetchPrivate", "deleteLimit"],
  },
  { section: "shortcuts", title: "From any program", keys: ["quickShortcut", "voice.pushToTalkKey"] },
  { section: "servers", title: "In settings.json", keys: ["mcpServers"] },
  {
    section: "data",
    title: "What is kept",
    keys: [
      "memoryEnabled",
      "durability",
      "pruneEnabled",
      "pruneSessionDays",
      "pruneMaxSessions",
      "pruneEventDays",
    ],
  },
  {
    section: "data",
    title: "Rewind",
    keys: [
      "checkpointsEnabled",
      "pruneCheckpointDays",
      "pruneCheckpointMb",
      "checkpointMaxFiles",
      "checkpointMaxMb",
      "checkpointMaxFileMb",
      "checkpointLargeMb",
      "checkpointFreeMb",
      "checkpointIgnore",
    ],
  },
  { section: "data", title: "Log", keys: ["logLevel", "logSinks"] },
];
