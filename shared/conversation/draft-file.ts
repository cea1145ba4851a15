import { randomUUID } from "node:crypto";

/**
 * A file that is written whole or not at all is written under such a name first, beside where it goes. The name is of
 * its own: one made from the file's could be longer than a name may be.
 */
export const draftName = (): string => `.parley-${randomUUID()}.tmp`;

/** What is on its way to its own name: not a file of the user's. */
export const isDraftName = (name: string): boolean => /^\.parley-[\da-f-]{36}\.tmp$/.test(name);
