import { z } from "zod";
import { fenceSettingsShape } from "./safety/fence-settings.ts";
import { asksForAll, levelName, permissionRule } from "./safety/permissions.ts";
import { voiceSettingsShape } from "./voice/voice-settings.ts";

/**
 * Every setting: its key, default and rule. The file on disk keeps only what differs from the defaults.
 * Milliseconds where a name ends in `Ms`; tokens where it ends in `Tokens`.
 */

export const providerName = z.enum(["auto", "anthropic", "openai", "gemini", "offline"]);

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

export const settingsShape = {
  /** auto = a provider whose key is there (Anthropic first), else a local server that was agreed to, else offline. */
  provider: providerName.default("auto"),
  /** An alias (opus, sonnet, haiku) or a full model id. */
  model: z.string().trim().min(1).default("opus"),
  anthropicBaseUrl: z.url().optional(),
  /** OpenAI-compatible servers: also `OPENAI_BASE_URL`. */
  openaiBaseUrl: z.url().optional(),
  /** Model servers on this computer that the user agreed to, such as `Ollama at 127.0.0.1:11434`. */
  localModelServers: z.array(z.string().min(1)).default([]),
  /** Keys that go to an address from elsewhere by the user's word: `ANTHROPIC_API_KEY of the environment to https://gateway.example`. */
  keyAddresses: z.array(z.string().min(1)).default([]),
  maxTokens: z.number().int().min(1).max(1_000_000).default(8192),
  /** 0–1 for Anthropic, 0–2 for the others; lowered to the provider's own limit. */
  temperature: z.number().min(0).max(2).default(1),
  /** Tokens; without it the model table's, 200,000 for a model that it does not know. */
  contextWindow: z.number().int().min(1000).optional(),
  retryMax: z.number().int().min(0).max(20).default(5),
  retryBaseMs: ms(600_000).default(1000),
  retryCapMs: ms(3_600_000).default(60_000),
  requestTimeoutMs: ms(3_600_000).default(600_000),
  streamIdleMs: ms(3_600_000).default(60_000),
  maxParallelTools: z.number().int().min(1).max(64).default(8),
  /** UTF-16 units of one tool result that the model sees, where `toolOutputLimits` says nothing of the tool; 0 = no limit. */
  maxToolResultChars: count.default(defaultMaxToolResultChars),
  /** Per tool, in place of `maxToolResultChars`; where that is lowered below its default, it lowers the defaults here, too. */
  toolOutputLimits: z.record(z.string(), count).default(defaultToolOutputLimits),
  /** Per tool, in lines, after the characters; 0 = no limit. */
  toolLineLimits: z.record(z.string(), count).default(defaultToolLineLimits),
  /** Messages of the history in a request, beyond which it is summarised, or cut where it is not; 0 = no limit. */
  maxConversationMessages: count.default(50),
  compactionStrategy: z.enum(["none", "summarize"]).default("summarize"),
  /** Of the context window, by the provider's last count. */
  compactionRatio: z.number().min(0.1).max(1).default(0.8),
  /** Or so many tokens, whichever comes first; by our estimate where the provider gave no count. */
  compactionThresholdTokens: z.number().int().min(1000).default(80_000),
  protectedTailMessages: z.number().int().min(1).default(6),
  /** 0 = no limit. */
  maxToolRoundsPerInput: count.default(0),
  maxTurns: count.default(0),
  /** After `max_tokens` without tool use. */
  maxContinuations: count.default(3),
  /** Of one conversation, input and output, cached reads counted once; 0 = no limit. */
  maxSessionTokens: count.default(0),
  maxSessionUsd: z.number().min(0).default(0),
  /** US dollars per million tokens, by model id; they replace or add to the built-in table. */
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
  /** Calls looked back on. */
  loopWindow: z.number().int().min(5).default(15),
  maxSubagentDepth: z.number().int().min(0).max(5).default(1),
  shellTimeoutMs: ms(600_000).min(1).default(120_000),
  /** What child processes get of our environment: all of it, what is on a list, a shorter list, or next to nothing. */
  environmentPolicy: z.enum(["inherit all", "filtered", "core", "none"]).default("filtered"),
  ...fenceSettingsShape,
  /** Whether `web_fetch` may reach this computer and private networks. */
  webFetchPrivate: z.boolean().default(false),
  /** Images beside one prompt, each of so many bytes and pixels of its longer side: what every provider takes. */
  attachMaxImages: count.max(20).default(5),
  attachMaxImageBytes: z.number().int().min(1).max(20_000_000).default(3_750_000),
  attachMaxImageSidePx: z.number().int().min(1).max(32_000).default(8000),
  /** The user's own words at the end of the system prompt. */
  systemPromptExtra: z.string().default(""),
  /** Off: nothing of a conversation is written to disk. */
  memoryEnabled: z.boolean().default(true),
  /** What a start shows: where the user left off, or an empty conversation. */
  startWith: z.enum(["last", "new"]).default("last"),
  /** normal: survives the death of the process; full: also a power cut, at the price of slower writes. */
  durability: z.enum(["normal", "full"]).default("normal"),
  /** Whether what is old goes away by itself, by the limits below; 0 = that one never. Pinned conversations stay. */
  pruneEnabled: z.boolean().default(true),
  pruneSessionDays: count.default(0),
  pruneMaxSessions: count.default(0),
  pruneEventDays: count.default(90),
  pruneCheckpointDays: count.default(30),
  /** Megabytes of file contents kept for rewinding. */
  pruneCheckpointMb: count.default(1024),
  checkpointsEnabled: z.boolean().default(true),
  /** Beyond these a change by a shell command or an MCP tool cannot be rewound, and that is said before the call. */
  checkpointMaxFiles: z.number().int().min(1).default(20_000),
  checkpointMaxMb: z.number().min(1).default(200),
  checkpointMaxFileMb: z.number().min(0.1).default(5),
  /** Megabytes of larger files that are saved beside the database, all together; 0 = none is. */
  checkpointLargeMb: z.number().min(0).default(2000),
  /** Megabytes of the disk that they leave free. */
  checkpointFreeMb: z.number().min(0).default(2000),
  /** A command that deletes more files than this ends the run; 0 = no limit. */
  deleteLimit: count.default(100),
  /** Names of folders that are not looked into. */
  checkpointIgnore: z.array(z.string().min(1)).default(defaultCheckpointIgnore),
  /** MCP servers, as other desktop assistants write them; each entry is checked by itself when it is used. */
  mcpServers: z.record(z.string(), z.unknown()).default({}),
  workingFolder: z.string().trim().min(1).default("~/Parley"),
  /** What is written down; the console shows warnings and worse, and with `debug` all. */
  logLevel: z.enum(["error", "warn", "info", "debug"]).default("info"),
  logSinks: z.array(z.enum(["console", "file"])).default(["console", "file"]),
  /** The level of conversations for which none was chosen. */
  permissionMode: levelName.default("ask"),
  /** Rules that deny come before those that ask, these before those that allow. */
  permissionRules: z.array(permissionRule.catch(asksForAll)).max(2000).default([]),
  theme: z.enum(["system", "light", "dark"]).default("system"),
  ...voiceSettingsShape,
} as const;

export const settings = z.object(settingsShape);
export type Settings = z.infer<typeof settings>;
export type SettingKey = keyof Settings;

export const defaultSettings: Settings = settings.parse({});
