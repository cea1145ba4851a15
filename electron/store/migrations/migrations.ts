import { firstTables } from "./001-first-tables.ts";
import { subagentSessions } from "./002-sub-agents.ts";
import { sessionTables } from "./003-sessions.ts";
import { checkpointTables } from "./004-checkpoints.ts";
import { draftAttachments } from "./005-draft-attachments.ts";
import { keptContents } from "./006-kept-contents.ts";
import { meetingLines } from "./007-meeting-lines.ts";
import { modelChoices } from "./008-model-choice.ts";
import { draftFiles } from "./009-draft-files.ts";
import { messageEfforts } from "./010-message-effort.ts";
import { typedNotes } from "./011-typed-notes.ts";
import { forkedFrom } from "./012-forked-from.ts";
import { callDiffs } from "./013-call-diffs.ts";
import type { Migration } from "./migration.ts";

/** Every step, in order. */
export const migrations: readonly Migration[] = [
  firstTables,
  subagentSessions,
  sessionTables,
  checkpointTables,
  draftAttachments,
  keptContents,
  meetingLines,
  modelChoices,
  draftFiles,
  messageEfforts,
  typedNotes,
  forkedFrom,
  callDiffs,
];
