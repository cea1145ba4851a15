import { z } from "zod";
import type { Price } from "../conversation/cost.ts";
import type { Effort, EffortSupport } from "../conversation/effort.ts";
import type { userError } from "../conversation/events.ts";
import { modelChoice } from "../conversation/model-choice.ts";
import { type KeyMaker, type KeyTest, keyMaker } from "../safety/key-test.ts";
import { keyVariableName } from "../safety/secrets.ts";
import { answers, conversationId } from "./route-parts.ts";

/** A model server on this computer that was found, and that the user has not agreed to. */
export interface ModelServerOffer {
  /** Its name and where it is, such as `Ollama at 127.0.0.1:11434`. */
  id: string;
  /** Some of what it has, by name. */
  models: string[];
  /** How many there are beside those. */
  more: number;
}

/** A key that would go to an address from elsewhere, which the user has not agreed to. */
export interface KeyAddressOffer {
  /** Stands for this key and this address: an answer to something else is refused. */
  id: string;
  /** The variable of the key, and where it stands, in words. */
  key: string;
  keyPlace: string;
  /** The variable or the setting of the address, and where it stands, in words. */
  address: string;
  addressPlace: string;
  /** Where the key would go. */
  host: string;
}

/** Why the offline assistant answers: there is no key, the settings want it, or the key cannot be opened now. */
export type WhyOffline = "no_key" | "chosen" | "locked";

/** Who answers in a conversation. */
export interface ModelState {
  provider: string;
  /** Full id; null: no model answers. */
  modelId: string | null;
  /** As people call it, or why nobody answers. */
  modelName: string;
  /** Where prompts go, where that is not the provider's own; absent where it is. */
  modelHost?: string;
  /** Where the offline assistant answers. */
  whyOffline?: WhyOffline;
  takesImages: boolean;
  /** As it was chosen; the model may not take it. */
  effort: Effort;
  efforts: EffortSupport;
  /** null: not known, or nothing. */
  price: Price | null;
  /** Whether a new conversation would have the same. */
  isForNew: boolean;
  /** A model of another provider, which can answer, too: what to choose, and its name. Absent where there is none. */
  other?: { id: string; name: string };
}

/** A maker's key, without the key. */
export interface KeyState {
  maker: KeyMaker;
  /** The variable that it is in. */
  variable: string;
  /** null: there is none. */
  from: "app" | "environment" | "file" | "folder" | null;
  /** Where one that was typed here is kept, in words; null: none was. */
  kept: string | null;
  /** Where prompts go, where that is not the maker's own. */
  host: string | null;
}

export interface ModelRow {
  /** What to choose. */
  id: string;
  /** Whose it is. */
  provider: string;
  name: string;
  /** US dollars per million tokens; null: not known, or nothing. */
  price: { input: number; output: number } | null;
}

export interface ModelList {
  /** Those of the provider that answers, then those of others that there are keys for. */
  models: ModelRow[];
  /** Those that were chosen before and are no longer, or not, in the list of the provider. */
  recent: ModelRow[];
  /** What the settings say, under the name of the model that it stands for. */
  current: ModelRow;
  /** Why the provider's list is missing. */
  problem: z.infer<typeof userError> | null;
}

/** Who answers, and the keys for it. */
export const modelRoutes = {
  /** Who answers in a conversation, and how much it can think. */
  "model.state": { input: z.object({ conversationId }), ...answers<ModelState>() },
  /** The models that can be chosen, there or, without a conversation, in new ones: asks the provider. */
  "model.list": { input: z.object({ conversationId: conversationId.optional() }), ...answers<ModelList>() },
  /** Nobody waits for the list any more. */
  "model.stopList": { input: z.void() },
  /** What is not given stays; null: as the settings say. It counts from the next run on. */
  "model.choose": { input: modelChoice.partial().extend({ conversationId }) },
  /** What counts for this conversation becomes the settings'. */
  "model.keep": { input: z.object({ conversationId }) },
  /** Shows the form for a key. */
  "key.ask": { input: z.object({ variable: keyVariableName }) },
  /** A key that was typed into the form for it. */
  "key.set": {
    input: z.object({
      variable: keyVariableName,
      key: z.string().trim().min(1).max(20_000),
      /** The user accepts that the file alone gives it away. */
      isWeakAccepted: z.boolean(),
    }),
  },
  /** Tries a key with one small request: one that was typed, or without one what counts now. Keeps nothing. */
  "key.test": {
    input: z.object({ maker: keyMaker, key: z.string().trim().min(1).max(20_000).optional() }),
    ...answers<KeyTest>(),
  },
  /** The keys of models: whether there is one, and where from. No key is told. */
  "key.list": { input: z.void(), ...answers<KeyState[]>() },
  /** Takes a key away that was typed into Parley. */
  "key.remove": { input: z.object({ maker: keyMaker }) },
  /** The models that one maker lists; null: it has no list. */
  "key.models": { input: z.object({ maker: keyMaker }), ...answers<{ names: string[] | null }>() },
  /** Whether the model server that was found on this computer may answer. */
  "model.server": { input: z.object({ id: z.string().min(1).max(200), isAgreed: z.boolean() }) },
  /** Whether a key may go to an address from elsewhere. @see KeyAddressOffer.id */
  "key.address": { input: z.object({ id: z.string().min(1).max(9000), isAgreed: z.boolean() }) },
} as const;
