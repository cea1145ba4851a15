import { ZodError } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";

/** What the database (or the folder it is in) said, in words that name the file and what to do. */
export function toStoreError(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const options = { cause: error };
  switch (codeOf(error, said)) {
    case "SQLITE_BUSY":
    case "SQLITE_LOCKED":
      return new StoreError(
        "locked",
        `Another program is using ${file}.`,
        "Close other copies of Parley and tools that have the file open, then try again.",
        options,
      );
    case "SQLITE_CORRUPT":
    case "SQLITE_NOTADB":
      return damagedFile(file, options);
    case "unreadable":
      return damagedPart(file, options);
    case "SQLITE_READONLY":
    case "SQLITE_PERM":
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new StoreError(
        "read_only",
        `${file} cannot be written.`,
        "Give yourself permission to write to the file and its folder, then start Parley again.",
        options,
      );
    case "SQLITE_FULL":
    case "ENOSPC":
      return new StoreError(
        "full",
        `The disk is full: nothing more can be written to ${file}.`,
        "Free some space on that disk, then try again.",
        options,
      );
    case "SQLITE_CANTOPEN":
    case "ENOTDIR":
    case "EEXIST":
    case "EISDIR":
      return new StoreError(
        "cannot_open",
        `${file} cannot be opened.`,
        "Check that its folder is a folder and can be written, then start Parley again.",
        options,
      );
    case "SQLITE_CONSTRAINT":
      return new StoreError(
        "invalid",
        `${file} refused what does not belong together: ${said}.`,
        "This is a bug in Parley. Start it again; the log has details.",
        options,
      );
    default:
      return new StoreError(
        "failed",
        `${file} could not be read or written: ${said}.`,
        "Check the disk it is on, then try again.",
        options,
      );
  }
}

/** SQLite finds the file itself damaged, not only what Parley wrote into it. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)$/.test(codeOf(error, ""));

export const damagedFile = (file: string, options?: ErrorOptions): StoreError =>
  new StoreError(
    "corrupt",
    `${file} is damaged: it cannot be read as Parley's database.`,
    "Parley keeps the file and copies what can be read into a new one: start it, or wait a moment if it is running. Copies made before updates are beside it.",
    options,
  );

/** What is kept of one thing, such as a conversation, is not as Parley wrote it: all else can be read. */
export const damagedPart = (file: string, options?: ErrorOptions): StoreError =>
  new StoreError(
    "corrupt",
    `This cannot be read: a part of ${file} is damaged.`,
    "Everything else in it still works. Copies made before updates are beside it.",
    options,
  );

/** @returns the error itself, but a full disk in words @param place what could not be written */
export const unlessFull = (error: unknown, place: string): unknown =>
  codeOf(error, "") === "ENOSPC" ? toStoreError(error, place) : error;

/** The primary result code, as SQLite or the file system names it; connections that fail say it in their text only. */
function codeOf(error: unknown, said: string): string {
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string") {
    const [code = error.code] = /^SQLITE_[A-Z]+/.exec(error.code) ?? [];
    if (code !== "") return code;
  }
  // A row that is not what the contract says: half of a JSON text, an unknown kind of block.
  if (error instanceof ZodError || error instanceof SyntaxError) return "unreadable";
  return /\b14\b/.test(said) && said.startsWith("ConnectionFailed") ? "SQLITE_CANTOPEN" : "";
}
