import { z } from "zod";
import { speechSource } from "./messages.ts";

/**
 * Every setting: its key, default and rule. The file on disk keeps only what differs from the defaults.
 * Milliseconds where a name ends in `Ms`; tokens where it ends in `Tokens`.
 */

export const providerName = z.enum(["auto", "anthropic", "offline"]);

const ms = (most: number) => z.number().int().min(0).max(most);

export const settingsShape = {
  /** auto = Anthropic where a key is there, else the offline assistant. */
  provider: providerName.default("auto"),
  /** An alias (opus, sonnet, haiku) or a full model id. */
  model: z.string().trim().min(1).default("opus"),
  anthropicBaseUrl: z.url().optional(),
  maxTokens: z.number().int().min(1).max(1_000_000).default(8192),
  temperature: z.number().min(0).max(1).default(1),
  retryMax: z.number().int().min(0).max(20).default(5),
  retryBaseMs: ms(600_000).default(1000),
  retryCapMs: ms(3_600_000).default(60_000),
  requestTimeoutMs: ms(3_600_000).default(600_000),
  streamIdleMs: ms(3_600_000).default(60_000),
  maxParallelTools: z.number().int().min(1).max(64).default(8),
  maxToolResultChars: z.number().int().min(0).default(40_000),
  workingFolder: z.string().trim().min(1).default("~/Parley"),
  logLevel: z.enum(["error", "warn", "info", "debug"]).default("info"),
  theme: z.enum(["system", "light", "dark"]).default("system"),
  "voice.source": speechSource.exclude(["file"]).default("microphone"),
  "voice.language": z.string().trim().min(2).default("en"),
  "voice.endpointingMs": ms(10_000).min(100).default(500),
  "voice.utteranceEndMs": ms(20_000).min(100).default(1000),
  "voice.maxUtteranceMs": ms(600_000).min(1000).default(30_000),
  "voice.minConfidence": z.number().min(0).max(1).default(0.3),
} as const;

export const settings = z.object(settingsShape);
export type Settings = z.infer<typeof settings>;
export type SettingKey = keyof Settings;

export const defaultSettings: Settings = settings.parse({});
