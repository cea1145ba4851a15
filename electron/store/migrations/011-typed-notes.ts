import type { Migration } from "./migration.ts";

/**
 * Among the lines of a meeting stand those that the user typed: their `who` is `note`. No table changes for that; but an
 * earlier Parley knows no such lines, and must not open a file that may have them.
 */
export const typedNotes: Migration = { version: 11, sql: "SELECT 1;" };
