import { z } from "zod";
import { effort } from "./conversation/effort.ts";
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
  /** Who answers. `auto`: a provider whose key is there (Anthropic first), else a local server that you agreed to, else the offline assistant. */
  provider: providerName.default("auto"),
  /** An alias (`opus`, `sonnet`, `haiku`) or a full model id. */
  model: z.string().trim().min(1).default("opus"),
  /** How much the model thinks before it answers, where it can be told: `default` is what it does by itself. See [models.md](models.md). */
  effort: effort.default("default"),
  /** Another address of the API: `https://`, or on this computer. Also `ANTHROPIC_BASE_URL`. */
  anthropicBaseUrl: z.url().optional(),
  /** The same for OpenAI and compatible servers. Also `OPENAI_BASE_URL`. */
  openaiBaseUrl: z.url().optional(),
  /** Model servers on this computer that may answer, such as `Ollama at 127.0.0.1:11434`. */
  localModelServers: z.array(z.string().min(1)).default([]),
  /** Keys that may go to an address from another place, such as `ANTHROPIC_API_KEY of the environment to https://gateway.example`. */
  keyAddresses: z.array(z.string().min(1)).default([]),
  /** Tokens of one reply. Where a Claude model thinks, it gets room for that beside them. */
  maxTokens: z.number().int().min(1).max(1_000_000).default(8192),
  /** 0–1 for Anthropic, 0–2 for the others; lowered to the limit of the provider. */
  temperature: z.number().min(0).max(2).default(1),
  /** Tokens that fit into a request. Without it, the figure of the model table; 200,000 for a model that it does not know. */
  contextWindow: z.number().int().min(1000).optional(),
  /** How often a failed request is tried again. */
  retryMax: z.number().int().min(0).max(20).default(5),
  /** The first wait before a retry. It doubles each time, with jitter. */
  retryBaseMs: ms(600_000).default(1000),
  /** The longest wait before a retry, also where the server sends `Retry-After`. */
  retryCapMs: ms(3_600_000).default(60_000),
  /** The longest request. */
  requestTimeoutMs: ms(3_600_000).default(600_000),
  /** The longest silence in a stream. */
  streamIdleMs: ms(3_600_000).default(60_000),
  /** Tools that run at the same time. */
  maxParallelTools: z.number().int().min(1).max(64).default(8),
  /** Characters (UTF-16 units) of one tool result that the model sees, where `toolOutputLimits` does not name the tool; 0 = no limit. */
  maxToolResultChars: count.default(defaultMaxToolResultChars),
  /** The same for each tool. Lower `maxToolResultChars` below its default, and it lowers the defaults here, too. */
  toolOutputLimits: z.record(z.string(), count).default(defaultToolOutputLimits),
  /** Lines of a result for each tool, applied after the characters; 0 = no limit. */
  toolLineLimits: z.record(z.string(), count).default(defaultToolLineLimits),
  /** Messages in a request; 0 = no limit. Older ones are summarised, or left out where `compactionStrategy` is `none`. */
  maxConversationMessages: count.default(50),
  /** `summarize`: older messages are summarised before the context is full. `none`: never, but you are told at 80 %. */
  compactionStrategy: z.enum(["none", "summarize"]).default("summarize"),
  /** The share of the context window at which older messages are summarised, by the last count of the provider. */
  compactionRatio: z.number().min(0.1).max(1).default(0.8),
  /** Or this many tokens, whichever comes first; estimated where the provider gave no count. */
  compactionThresholdTokens: z.number().int().min(1000).default(80_000),
  /** The newest messages, which are never summarised. */
  protectedTailMessages: z.number().int().min(1).default(6),
  /** Rounds of tool calls for one prompt; 0 = no limit. */
  maxToolRoundsPerInput: count.default(0),
  /** Rounds of one run; 0 = no limit. */
  maxTurns: count.default(0),
  /** How often a reply that was cut at its length is continued. */
  maxContinuations: count.default(3),
  /** Budget of one conversation: input and output, cached reads counted once; 0 = none. Also `npm start -- --max-tokens N`. */
  maxSessionTokens: count.default(0),
  /** Budget of one conversation in US dollars; 0 = none. */
  maxSessionUsd: z.number().min(0).default(0),
  /** US dollars per million tokens, by model id. They replace or add to the built-in table. */
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
  /** `stop`: a model that repeats itself is warned, then stopped. `warn`: only warned. */
  loopDetection: z.enum(["stop", "warn", "off"]).default("stop"),
  /** Repetitions of calls with equal results before the warning; with other results, 10 rounds. */
  loopWarnAt: z.number().int().min(2).default(3),
  /** Repetitions of calls with equal results before the stop; with other results, 20 rounds. */
  loopStopAt: z.number().int().min(2).default(5),
  /** How many calls are looked back on. */
  loopWindow: z.number().int().min(5).default(15),
  /** How deep sub-agents may start sub-agents; 0 = none. */
  maxSubagentDepth: z.number().int().min(0).max(5).default(1),
  /** The longest command. */
  shellTimeoutMs: ms(600_000).min(1).default(120_000),
  /** What commands get of the environment: all of it, what is on a list of what shells, languages and builds need, a shorter list, or next to nothing. Never an address with a password. */
  environmentPolicy: z.enum(["inherit all", "filtered", "core", "none"]).default("filtered"),
  ...fenceSettingsShape,
  /** Whether `web_fetch` may reach this computer and private networks. */
  webFetchPrivate: z.boolean().default(false),
  /** Images beside one prompt. */
  attachMaxImages: count.max(20).default(5),
  /** Bytes of each image. */
  attachMaxImageBytes: z.number().int().min(1).max(20_000_000).default(3_750_000),
  /** Pixels of the longer side of each image. */
  attachMaxImageSidePx: z.number().int().min(1).max(32_000).default(8000),
  /** Your own words at the end of the system prompt. */
  systemPromptExtra: z.string().default(""),
  /** Off: nothing of a conversation is written to disk, and no checkpoint is made. */
  memoryEnabled: z.boolean().default(true),
  /** What a start shows: where you left off, or a new conversation. */
  startWith: z.enum(["last", "new"]).default("last"),
  /** `normal` survives the death of the process; `full` also a power cut, with slower writes. */
  durability: z.enum(["normal", "full"]).default("normal"),
  /** Whether old data is deleted by the limits below; 0 = that limit is off. Pinned conversations stay. */
  pruneEnabled: z.boolean().default(true),
  /** Days before an old conversation is deleted. */
  pruneSessionDays: count.default(0),
  /** Conversations that are kept. */
  pruneMaxSessions: count.default(0),
  /** Days before log rows are deleted. */
  pruneEventDays: count.default(90),
  /** Days before checkpoints are deleted. */
  pruneCheckpointDays: count.default(30),
  /** Megabytes of file contents that are kept for rewinding. */
  pruneCheckpointMb: count.default(1024),
  /** Whether files are kept before they change, so that a rewind can bring them back. */
  checkpointsEnabled: z.boolean().default(true),
  /** In a folder with more files, a change by a command or an MCP tool cannot be rewound, and Parley says so before the call. */
  checkpointMaxFiles: z.number().int().min(1).default(20_000),
  /** The same for the megabytes of all files together. Git history is counted apart. */
  checkpointMaxMb: z.number().min(1).default(200),
  /** Megabytes of one file; larger ones are saved beside the database. */
  checkpointMaxFileMb: z.number().min(0.1).default(5),
  /** Megabytes of larger files that are saved, all together; 0 = none. */
  checkpointLargeMb: z.number().min(0).default(2000),
  /** Megabytes of the disk that they leave free. */
  checkpointFreeMb: z.number().min(0).default(2000),
  /** A command that deletes more files than this ends the run; 0 = no limit. */
  deleteLimit: count.default(100),
  /** Names of folders that can be made again and are not looked into. */
  checkpointIgnore: z.array(z.string().min(1)).default(defaultCheckpointIgnore),
  /** MCP servers, as other desktop assistants write them. See [mcp.md](mcp.md). */
  mcpServers: z.record(z.string(), z.unknown()).default({}),
  /** Where the file tools of a new conversation work. */
  workingFolder: z.string().trim().min(1).default("~/Parley"),
  /** What is logged. The console shows warnings and worse, and everything with `debug`. Words of a conversation and keys are never logged. */
  logLevel: z.enum(["error", "warn", "info", "debug"]).default("info"),
  /** Where the log goes. The file is `logs/parley.log` in the user-data folder: three files of 10 MB. */
  logSinks: z.array(z.enum(["console", "file"])).default(["console", "file"]),
  /** The level of conversations for which you chose none: `look`, `ask` or `work`. See [permissions.md](permissions.md). */
  permissionMode: levelName.default("ask"),
  /** What runs without asking, asks or is refused. Rules that deny come before those that ask, these before those that allow. */
  permissionRules: z.array(permissionRule.catch(asksForAll)).max(2000).default([]),
  /** The colours of the window. */
  theme: z.enum(["system", "light", "dark"]).default("system"),
  ...voiceSettingsShape,
} as const;

export const settings = z.object(settingsShape);
export type Settings = z.infer<typeof settings>;
export type SettingKey = keyof Settings;

export const defaultSettings: Settings = settings.parse({});
