import { z } from "zod";
import {
  approvalScope,
  levelName,
  permissionLevel,
  permissionRule,
  writtenRule,
} from "../safety/permissions.ts";
import type { TrustRequest } from "../safety/trust.ts";
import { answers, conversationId } from "./route-parts.ts";

/** What may run: levels, rules, approvals, the fence, and what a folder brings. */
export const permissionRoutes = {
  "approval.answer": {
    input: z.object({
      conversationId,
      approvalId: z.string(),
      allowed: z.boolean(),
      reason: z.string().max(10_000).optional(),
      scope: approvalScope.default("once"),
      /** The command runs outside of the fence, for once, where the card offers that. */
      outside: z.boolean().optional(),
    }),
  },
  /** How much runs in the conversation without being asked for: a level. */
  "permission.mode": { input: z.object({ conversationId, mode: levelName }) },
  /** What becomes of an `auto` of an earlier version, in the conversation or in the settings, wherever it came from. */
  "permission.confirm": {
    input: z.object({ conversationId, level: permissionLevel.exclude(["look"]) }),
  },
  /** A rule that the user wrote. Refused, with the reason, where it would mean nothing or too much. */
  "permission.add": { input: writtenRule },
  /** Allowing rules of an earlier version, as the user wants them now: this command alone, with more words, not at all. */
  "permission.review": {
    input: z.object({ rule: permissionRule, answer: z.enum(["exact", "more", "remove"]) }),
  },
  /** Looks for the fence again, after what mends it was done. */
  "fence.check": { input: z.void() },
  /** What the conversation's folder brings that waits for the user's word. */
  "trust.request": { input: z.object({ conversationId }), ...answers<{ request: TrustRequest | null }>() },
  /** @see TrustRequest.id */
  "trust.answer": {
    input: z.object({ conversationId, id: z.string().max(200), isTrusted: z.boolean() }),
  },
  /** Files of folders that the user trusts, and taking such a word back. */
  "trust.list": { input: z.void(), ...answers<{ paths: string[] }>() },
  "trust.forget": { input: z.object({ path: z.string().min(1).max(10_000) }) },
} as const;
