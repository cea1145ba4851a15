import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const record = z.record(z.string(), z.unknown());

/** @returns null for a line that is no message */
export function readMessage(line: string): JSONRPCMessage | null {
  // Most noise is no JSON, and an exception for each line of it is dear. A byte order mark is trimmed, too.
  const trimmed = line.trimStart();
  if (!trimmed.startsWith("{")) return null;
  try {
    return mendedMessage(JSON.parse(trimmed));
  } catch {
    return null;
  }
}

/**
 * Many servers write null for what they do not have, as `error` beside a result. Nobody may wait for ever because of that.
 * @returns null for what is no message even without them
 */
export function mendedMessage(json: unknown): JSONRPCMessage | null {
  const parsed = JSONRPCMessageSchema.safeParse(json);
  return parsed.success ? parsed.data : withoutNulls(json);
}

function withoutNulls(json: unknown): JSONRPCMessage | null {
  const whole = record.safeParse(json);
  if (!whole.success) return null;
  const given = present(whole.data);
  if (whole.data.result === null && given.error === undefined) given.result = {};
  // Some answer a call with its content alone.
  if (given.result !== undefined && !record.safeParse(given.result).success) {
    given.result = { content: given.result };
  }
  for (const part of ["params", "result"]) {
    const inner = record.safeParse(given[part]);
    if (inner.success && inner.data._meta === null) given[part] = { ...inner.data, _meta: undefined };
  }
  const parsed = JSONRPCMessageSchema.safeParse(given);
  return parsed.success ? parsed.data : null;
}

const present = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
