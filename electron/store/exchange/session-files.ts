import { rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { lastMeeting, meetingRange } from "../../../shared/conversation/meeting.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import { maxBytes, readSmallFile } from "../../files/small-file.ts";
import { privateMode } from "../database/private-file.ts";
import { unknownSession } from "../database/unknown.ts";
import { meetingSrt } from "./meeting-srt.ts";
import { exportSession, importSession } from "./session-exchange.ts";
import { parseSessionFile } from "./session-file.ts";
import { aboutMeeting, sessionMarkdown } from "./session-markdown.ts";
import { writeWhole } from "./whole-file.ts";

/** `srt`: a meeting as subtitles, the last one where none is named. */
export type ExportFormat = "md" | "json" | "srt";

/** Lines of meetings that an export has; of more the newest. */
const maxLines = 100_000;

export interface SessionFilesOptions {
  store: SessionStore;
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Conversations as files. */
export class SessionFiles {
  readonly #options: SessionFilesOptions;

  constructor(options: SessionFilesOptions) {
    this.#options = options;
  }

  /** What a file of it is called when nobody says otherwise: its title without what no file system likes. */
  suggestedName(conversationId: string, format: ExportFormat): string {
    const title = this.#options.store.loadSession(conversationId)?.title ?? "conversation";
    const name = title
      .normalize("NFC")
      .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, " ")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/^[ .]+|[ .]+$/g, "")
      .slice(0, 80)
      .trim();
    return `${name || "conversation"}.${format}`;
  }

  /**
   * @param how.mayReplace whether a file of that name gives way
   * @param how.meeting only that one, by when it began, with what was asked about it
   * @throws Error with words for the user
   */
  async write(
    conversationId: string,
    format: ExportFormat,
    path: string,
    { mayReplace = true, meeting }: { mayReplace?: boolean; meeting?: number | undefined } = {},
  ): Promise<void> {
    const text = await this.#textOf(conversationId, format, meeting);
    let reserved = false;
    try {
      if (!mayReplace) await writeFile(path, "", { flag: "wx", mode: privateMode });
      reserved = !mayReplace;
      await writeWhole(path, (file) => file.writeFile(text));
    } catch (error) {
      if (reserved) await rm(path, { force: true });
      throw new Error(explain(error, path));
    }
  }

  /**
   * @param workingFolder of the new conversation: a file from somebody else must not choose where tools may go
   * @returns the id of the new conversation @throws Error that says what is wrong with the file; nothing of it is kept then
   */
  async read(path: string, workingFolder: string): Promise<string> {
    const file = parseSessionFile(textOf(path));
    return await importSession(this.#options, { ...file, workingFolder });
  }

  async #textOf(conversationId: string, format: ExportFormat, startedAt?: number): Promise<string> {
    const { store } = this.#options;
    if (format === "json") return `${JSON.stringify(await exportSession(store, conversationId), null, 1)}\n`;
    const session = store.loadSession(conversationId);
    if (!session) throw unknownSession("the store", conversationId);
    const range =
      startedAt === undefined ? undefined : meetingRange(store.meetings(conversationId), startedAt);
    if (range === null) throw new Error("That meeting is no longer there.");
    const lines = store.meetingLines(conversationId, { ...range, limit: maxLines });
    if (format === "md") {
      const messages = store.loadMessages(conversationId);
      return sessionMarkdown(session, range ? aboutMeeting(messages, range) : messages, lines);
    }
    if (lines.length === 0) throw new Error("There has been no meeting in this conversation.");
    const subtitles = meetingSrt(lastMeeting(lines));
    if (subtitles === "") throw new Error("The meeting has notes only, and subtitles are what was said.");
    return subtitles;
  }
}

/** @throws Error */
function textOf(path: string): string {
  const file = readSmallFile(path, { most: maxBytes.session, isJson: true });
  if (file.kind === "missing")
    throw new Error(`There is no ${path}, or its folder ${dirname(path)} is not there.`);
  if (file.kind === "refused") throw new Error(`The file cannot be imported: ${path} ${file.why}.`);
  return file.text;
}

function explain(error: unknown, path: string): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EEXIST") return `${path} already exists. Name another file.`;
  if (code === "ENOENT") return `There is no ${path}, or its folder ${dirname(path)} is not there.`;
  if (code === "EACCES" || code === "EPERM") return `You don't have permission to read or write ${path}.`;
  if (code === "ENOSPC") return `The disk is full: ${path} was not written. Free some space, then try again.`;
  if (code === "EISDIR") return `${path} is a folder: name a file in it.`;
  return error instanceof Error ? error.message : String(error);
}
