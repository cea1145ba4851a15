import { z } from "zod";
import { effort } from "./conversation/effort.ts";
import { fenceSettingsShape } from "./safety/fence-settings.ts";
import { asksForAll, levelName, permissionRule } from "./safety/permissions.ts";
import { shortcut } from "./voice/talk-key.ts";
import { voiceSettingsShape } from "./voice/voice-settings.ts";

/**
 * Every setting: its key, default and rule. The file on disk keeps only what differs from the defaults.
 * Milliseconds where a name ends in `Ms`; tokens where it ends in `Tokens`.
 */

export const providerName = z.enum(["auto", "anthropic", "openai", "gemini", "local", "offline"]);

const ms = (most: number) => z.number().int().min(0).max(most);

const count = z.number().int().min(0);

/** UTF-16 units. */
export const defaultMaxToolResultChars = 40_000;
/** UTF-16 units; from the coding-agent-loop specification's table. */
export const defaultToolOutputLimits: Record<string, number> = {
  read_file: 50_000,
  shell: 30_000,
  grep: 20_000,
  glob: 20_000,
  edit_file: 10_000,
  apply_patch: 10_000,
  write_file: 1_000,
  /** The report of a sub-agent. */
  wait: 20_000,
};
/** Lines. */
export const defaultToolLineLimits: Record<string, number> = { shell: 256, grep: 200, glob: 500 };

/** What builds and package managers make again by themselves. */
export const defaultCheckpointIgnore = [
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  "target",
  ".cache",
  ".next",
  ".turbo",
];

/** What each says to the user stands in `settings-texts/`. */
export const settingsShape = {
  firstRun: z.boolean().default(true),
  provider: providerName.default("auto"),
  model: z.string().trim().min(1).default("opus"),
  effort: effort.default("default"),
  anthropicBaseUrl: z.url().optional(),
  openaiBaseUrl: z.url().optional(),
  localModelServers: z.array(z.string().min(1)).default([]),
  keyAddresses: z.array(z.string().min(1)).default([]),
  maxTokens: z.number().int().min(1).max(1_000_000).default(8192),
  temperature: z.number().min(0).max(2).default(1),
  contextWindow: z.number().int().min(1000).optional(),
  retryMax: z.number().int().min(0).max(20).default(5),
  retryBaseMs: ms(600_000).default(1000),
  retryCapMs: ms(3_600_000).default(60_000),
  requestTimeoutMs: ms(3_600_000).default(600_000),
  streamIdleMs: ms(3_600_000).default(60_000),
  maxParallelTools: z.number().int().min(1).max(64).default(8),
  maxToolResultChars: count.default(defaultMaxToolResultChars),
  toolOutputLimits: z.record(z.string(), count).default(defaultToolOutputLimits),
  toolLineLimits: z.record(z.string(), count).default(defaultToolLineLimits),
  maxConversationMessages: count.default(50),
  compactionStrategy: z.enum(["none", "summarize"]).default("summarize"),
  compactionRatio: z.number().min(0.1).max(1).default(0.8),
  compactionThresholdTokens: z.number().int().min(1000).default(80_000),
  protectedTailMessages: z.number().int().min(1).default(6),
  maxToolRoundsPerInput: count.default(0),
  maxTurns: count.default(0),
  maxContinuations: count.default(3),
  maxSessionTokens: count.default(0),
  maxSessionUsd: z.number().min(0).default(0),
  prices: z
    .record(
      z.string(),
      z.object({
        input: z.number().min(0),
        output: z.number().min(0),
        cacheRead: z.number().min(0).default(0),
        cacheWrite: z.number().min(0).default(0),
      }),
    )
    .default({}),
  loopDetection: z.enum(["stop", "warn", "off"]).default("stop"),
  loopWarnAt: z.number().int().min(2).default(3),
  loopStopAt: z.number().int().min(2).default(5),
  loopWindow: z.number().int().min(5).default(15),
  maxSubagentDepth: z.number().int().min(0).max(5).default(1),
  shellTimeoutMs: ms(600_000).min(1).default(120_000),
  environmentPolicy: z.enum(["inherit all", "filtered", "core", "none"]).default("filtered"),
  ...fenceSettingsShape,
  webFetchPrivate: z.boolean().default(false),
  checkSpelling: z.boolean().default(false),
  attachMaxImages: count.max(20).default(5),
  attachMaxImageBytes: z.number().int().min(1).max(20_000_000).default(3_750_000),
  attachMaxImageSidePx: z.number().int().min(1).max(32_000).default(8000),
  systemPromptExtra: z.string().default(""),
  memoryEnabled: z.boolean().default(true),
  quickShortcut: shortcut.default("Alt+Space"),
  startAtLogin: z.boolean().default(false),
  openLinks: z.boolean().default(true),
  lookForUpdates: z.boolean().default(true),
  notifyFinished: z.boolean().default(true),
  startWith: z.enum(["last", "new"]).default("last"),
  durability: z.enum(["normal", "full"]).default("normal"),
  pruneEnabled: z.boolean().default(true),
  pruneSessionDays: count.default(0),
  pruneMaxSessions: count.default(0),
  pruneEventDays: count.default(90),
  pruneCheckpointDays: count.default(30),
  pruneCheckpointMb: count.default(1024),
  checkpointsEnabled: z.boolean().default(true),
  checkpointMaxFiles: z.number().int().min(1).default(20_000),
  checkpointMaxMb: z.number().min(1).default(200),
  checkpointMaxFileMb: z.number().min(0.1).default(5),
  checkpointLargeMb: z.number().min(0).default(2000),
  checkpointFreeMb: z.number().min(0).default(2000),
  deleteLimit: count.default(100),
  checkpointIgnore: z.array(z.string().min(1)).default(defaultCheckpointIgnore),
  mcpServers: z.record(z.string(), z.unknown()).default({}),
  workingFolder: z.string().trim().min(1).default("~/Parley"),
  logLevel: z.enum(["error", "warn", "info", "debug"]).default("info"),
  logSinks: z.array(z.enum(["console", "file"])).default(["console", "file"]),
  permissionMode: levelName.default("ask"),
  permissionRules: z.array(permissionRule.catch(asksForAll)).max(2000).default([]),
  theme: z.enum(["system", "light", "dark"]).default("system"),
  announceReplies: z.enum(["sentences", "whole", "off"]).default("sentences"),
  questionMarkShowsKeys: z.boolean().default(true),
  ...voiceSettingsShape,
} as const;

export const settings = z.object(settingsShape);
export type Settings = z.infer<typeof settings>;
export type SettingKey = keyof Settings;

export const defaultSettings: Settings = settings.parse({});

const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingsShape, key);
export const settingKeys = Object.keys(settingsShape).filter(isSettingKey);

/** The setting of a key, to be changed: its value is checked by its own rule. */
export const settingChange = z.object({ key: z.enum(settingKeys), value: z.unknown() });

/** What a window knows of the settings: all but the configuration of MCP servers, which may hold keys. */
export interface SettingValues {
  values: Omit<Settings, "mcpServers">;
  path: string;
  /** Changed, and counting from the next start on. */
  waiting: SettingKey[];
}

/** Settings that a window can only take from: what is in them came about by a question to the user. */
export const shrinkOnly: ReadonlySet<SettingKey> = new Set([
  "permissionRules",
  "localModelServers",
  "keyAddresses",
]);

/** Settings that no window changes here: servers have a page and commands of their own. */
export const notHere: ReadonlySet<SettingKey> = new Set(["mcpServers"]);
