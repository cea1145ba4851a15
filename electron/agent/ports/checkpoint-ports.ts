import type {
  CheckpointDiff,
  CheckpointSummary,
  ConversationChanges,
  NotRestorable,
  RewindOutcome,
  RewindPart,
  RewindPreview,
} from "../../../shared/conversation/checkpoints.ts";

/** A call that is about to change something. */
export interface ChangingCall {
  conversationId: string;
  /** The prompt of the turn. */
  messageId: string;
  /** One prompt can have several runs: what was changed between them, by whomever, is kept as well. */
  runId: string;
  /** The prompt's first words. */
  label: string;
  toolUseId: string;
  /** Absolute or relative to the folder; null: nobody knows beforehand (shell, MCP), so the whole folder is looked at. */
  paths: readonly string[] | null;
  workingFolder: string;
  signal: AbortSignal;
}

export interface CheckpointReport {
  checkpointId: string;
  /** Made by this call: the first of its run. */
  isNew: boolean;
  /** What a rewind could not bring back if this call changed it; each is told once a run. */
  notRestorable: NotRestorable[];
  /** Absolute: what must stay as it is while a fenced command runs, told or not; none below another. */
  readOnly: string[];
}

/** What a call did to the files. */
export interface CallChanges {
  checkpointId: string;
  /** Files and links that are gone, without those that only moved; of a call that named its paths: 0. */
  deletedFiles: number;
}

/** A file that is otherwise than it was. */
export interface ChangedFile {
  /** Relative to the folder, with `/`. */
  path: string;
  /** What it is now, to be compared: the same words for the same content. */
  now: string;
}

/** What the tool runner owes every call with an effect, in this order: before, run, after. */
export interface Checkpoints {
  /**
   * Makes the run's checkpoint if there is none, and keeps the state of what the call may change. Durable when it resolves.
   * @throws StoreError when nothing could be kept: the call must not run then
   */
  before(call: ChangingCall): Promise<CheckpointReport>;
  /**
   * Notes what the call left behind, so that later changes from outside can be told from ours. Never throws.
   * @returns null where nothing was kept for it, or it could not be noted
   */
  after(call: ChangingCall): Promise<CallChanges | null>;
  /**
   * The files that are otherwise than before the conversation's first call that changed them. What calls do that still go
   * on is not known yet.
   * @param fits which files are asked about, by their path in the folder
   * @throws StoreError
   */
  changedFiles(conversationId: string, workingFolder: string, fits: (path: string) => boolean): ChangedFile[];
}

/** What the window and `/checkpoint` do. All throw StoreError, and Error with words for the user. */
export interface Rewinding {
  /** Newest first. */
  list(conversationId: string, limit: number): CheckpointSummary[];
  /** By id, a unique beginning or its short end. @throws Error that lists the candidates or says that there is none */
  find(conversationId: string, reference: string): CheckpointSummary;
  /** The one of the turn of this prompt, or the next one after it: what "rewind to here" goes to; null where no file was changed since. */
  atMessage(conversationId: string, messageId: string): CheckpointSummary | null;
  create(
    conversationId: string,
    place: { messageId: string | null; label: string; workingFolder: string },
  ): Promise<CheckpointSummary>;
  show(checkpointId: string): Promise<CheckpointDiff[]>;
  /** The files that the conversation changed, and that are still otherwise than before. */
  changes(conversationId: string, workingFolder: string): Promise<ConversationChanges>;
  /** @param path of the file that it is about alone, as shown */
  preview(checkpointId: string, part: RewindPart, path?: string): Promise<RewindPreview>;
  /** Where the conversation's part goes: the message that its path ends with then; null: before the first. */
  headOf(checkpointId: string): string | null;
  /**
   * Files alone; the conversation's part is the conversation's, which moves its head to `headOf` afterwards.
   * @param overwrite whether conflicts are overwritten or skipped
   * @param part what the whole rewind takes back, so that `redo` knows; of `conversation` no file is touched. Default: files
   * @param path of the file that goes back alone, as shown
   */
  rewindFiles(
    checkpointId: string,
    overwrite: boolean,
    part?: RewindPart,
    path?: string,
  ): Promise<Pick<RewindOutcome, "redoCheckpointId" | "files">>;
  /**
   * Takes back the last rewind of this conversation that was not taken back yet.
   * @param overwrite as in `rewindFiles`; default: conflicts are skipped
   * @returns `messageId`: where the head was then and goes again; null where only files were rewound
   * @throws Error when there is none
   */
  redo(
    conversationId: string,
    overwrite?: boolean,
  ): Promise<Pick<RewindOutcome, "redoCheckpointId" | "files"> & { messageId: string | null }>;
}
