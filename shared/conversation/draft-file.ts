import { createHash, randomUUID } from "node:crypto";

/**
 * A file that is written whole or not at all is written under such a name first, beside where it goes. The name is of
 * its own: one made from the file's could be longer than a name may be.
 */
export const draftName = (): string => `.parley-${randomUUID()}.tmp`;

/** One that whoever knows the key finds again. @param key as no other draft has it */
export function draftNameOf(key: string): string {
  const hex = createHash("sha256").update(key).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `.parley-${parts.join("-")}.tmp`;
}

/** What is on its way to its own name: not a file of the user's. */
export const isDraftName = (name: string): boolean => /^\.parley-[\da-f-]{36}\.tmp$/.test(name);
