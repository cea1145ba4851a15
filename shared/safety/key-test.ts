import { z } from "zod";
import { keyNames } from "./secrets.ts";

/** Whose models a key is for. */
export const keyMaker = z.enum(["anthropic", "openai", "gemini"]);
export type KeyMaker = z.infer<typeof keyMaker>;

/** As people call them. */
export const makerNames: Readonly<Record<KeyMaker, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  gemini: "Gemini",
};

/** Whose key a variable holds; null: none of a model's. */
export const makerOf = (variable: string): KeyMaker | null =>
  keyMaker.options.find((maker) => keyNames[maker] === variable) ?? null;

/** `limit`: the key counts, but too many requests were made with it. `not_sent`: nothing was sent to anybody. */
export type KeyProblem =
  | "missing"
  | "not_sent"
  | "refused"
  | "no_credit"
  | "no_network"
  | "wrong_address"
  | "limit"
  | "other";

/** What one small request with a key came to, in words for the user. */
export type KeyTest =
  | { ok: true; host: string; tookMs: number }
  | { ok: false; problem: KeyProblem; message: string; hint: string };
