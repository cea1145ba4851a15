import type {
  RewindOutcome,
  RewindPart,
  RewindPlan,
  RewindTarget,
} from "../../../shared/conversation/checkpoints.ts";
import type { AgentEventBody } from "../../../shared/conversation/events.ts";
import type { Rewinding } from "../ports/checkpoint-ports.ts";
import type { ConversationPath } from "./tree/conversation-path.ts";

/** The parts of a conversation that its rewinds work with. */
export interface ConversationRewindsOptions {
  readonly id: string;
  /** null where nothing is kept: then only the conversation goes back, and not forward again. */
  readonly rewinding: Rewinding | null;
  readonly path: ConversationPath;
  workingFolder(): string;
  /** The path ends here from now on; null: before the first message. */
  moveHead(messageId: string | null, reason: "rewind" | "redo"): void;
  emit(body: AgentEventBody): void;
}

/**
 * The way back, and forward again, of one conversation and its files. Whoever calls sees to it that no run goes on or
 * begins meanwhile: half a rewind would be worse than none.
 */
export class ConversationRewinds {
  readonly #options: ConversationRewindsOptions;

  constructor(options: ConversationRewindsOptions) {
    this.#options = options;
  }

  /** What a rewind would do. @throws StoreError, and Error with words for the user */
  async preview(target: RewindTarget, part: RewindPart): Promise<RewindPlan> {
    const { rewinding, path } = this.#options;
    const checkpointId = this.#checkpointOf(target);
    const plan =
      !rewinding || checkpointId === null
        ? { checkpoint: null, part, files: [], notRestorable: [], prompts: 0 }
        : await rewinding.preview(checkpointId, part, pathOf(target));
    if (part === "files" || !("messageId" in target)) return plan;
    // The prompt that was asked for may be earlier than the turn whose files come back.
    return { ...plan, prompts: path.promptsFrom(target.messageId) };
  }

  /**
   * Files first: they are the part that can fail, and the redo notes where the conversation stands before it moves.
   * @throws Error for what is no prompt or no checkpoint, before anything was changed @throws StoreError
   */
  async rewind(
    target: RewindTarget,
    { part, overwrite }: { part: RewindPart; overwrite: boolean },
  ): Promise<RewindOutcome> {
    const { rewinding, moveHead, emit } = this.#options;
    const path = pathOf(target);
    if (path !== undefined && part !== "files")
      throw new Error("A rewind of one file leaves the conversation as it is.");
    const found = this.#checkpointOf(target);
    const move = part === "files" ? null : await this.#moveTo(target);
    const prompts = move?.prompts ?? 0;
    if (!rewinding || (found === null && part === "files")) {
      if (move) moveHead(move.head, "rewind");
      return { redoCheckpointId: null, files: [], prompts };
    }
    const checkpointId = found ?? (await this.#markHere(rewinding));
    const restored = found === null ? "conversation" : part;
    const files = await rewinding.rewindFiles(checkpointId, overwrite, restored, path);
    if (move) moveHead(move.head, "rewind");
    const outcome = { ...files, prompts };
    emit({ type: "checkpoint.rewound", checkpointId, outcome, ...(path !== undefined && { path }) });
    return outcome;
  }

  /** Takes back the last rewind that was not taken back yet. @throws Error where there is none @throws StoreError */
  async redo(overwrite: boolean): Promise<RewindOutcome> {
    const { id, rewinding, moveHead, emit } = this.#options;
    if (!rewinding) throw new Error("There is no rewind to undo.");
    const { messageId, ...files } = await rewinding.redo(id, overwrite);
    if (messageId !== null) moveHead(messageId, "redo");
    const outcome = { ...files, prompts: 0 };
    const checkpointId = files.redoCheckpointId;
    if (checkpointId !== null) emit({ type: "checkpoint.rewound", checkpointId, outcome, isRedo: true });
    return outcome;
  }

  /** Where the conversation's part goes, and how many prompts leave the path; null: it stays where it is. */
  async #moveTo(target: RewindTarget): Promise<{ head: string | null; prompts: number } | null> {
    const { rewinding, path } = this.#options;
    if ("messageId" in target) {
      const { parentId } = path.promptAt(target.messageId);
      return { head: parentId, prompts: path.promptsFrom(target.messageId) };
    }
    if (!rewinding) return null;
    const { prompts } = await rewinding.preview(target.checkpointId, "conversation");
    return { head: rewinding.headOf(target.checkpointId), prompts };
  }

  /** null: no file was changed since that prompt. */
  #checkpointOf(target: RewindTarget): string | null {
    if ("checkpointId" in target) return target.checkpointId;
    return this.#options.rewinding?.atMessage(this.#options.id, target.messageId)?.checkpointId ?? null;
  }

  /** No file was changed since: a checkpoint of its own, so that going back can be taken back, too. */
  async #markHere(rewinding: Rewinding): Promise<string> {
    const place = { messageId: null, label: "Before a rewind", workingFolder: this.#options.workingFolder() };
    return (await rewinding.create(this.#options.id, place)).checkpointId;
  }
}

/** The file that goes back alone. */
const pathOf = (target: RewindTarget): string | undefined =>
  "checkpointId" in target ? target.path : undefined;
