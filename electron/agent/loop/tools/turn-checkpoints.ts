import { resolve, sep } from "node:path";
import type { NotRestorable } from "../../../../shared/conversation/checkpoints.ts";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";
import { isPrompt, type Message, textOf } from "../../../../shared/conversation/messages.ts";
import { titleOf } from "../../conversation/sessions/title.ts";
import type { CallChanges, ChangingCall, Checkpoints } from "../../ports/checkpoint-ports.ts";
import { type Confinement, StoreError, type Tool, type ToolOutput } from "../../ports/ports.ts";

/** Keeps what the calls of one turn change; sub-agents' calls are of the turn that started them. */
export interface TurnCheckpoints {
  /**
   * Runs a call between keeping what it may change and noting what it left. One that changes no files just runs, and so
   * does a command that is fenced to look only. What the call's result has to say of deletions is added to it.
   * @param call.paths that it touches, as the tool names them
   * @param run gets the paths that must stay as they are while a fenced command runs
   * @throws Error when nothing could be kept, or a call deleted too much: the call was not run then; the user was told
   */
  around(
    call: {
      tool: Tool;
      toolUseId: string;
      paths: readonly string[];
      confinement?: Confinement | undefined;
      signal: AbortSignal;
    },
    run: (readOnly: readonly string[]) => Promise<ToolOutput>,
  ): Promise<ToolOutput>;
  /** A call deleted more files than one may: the turn ends after the calls that go on. */
  readonly isStopped: boolean;
}

/**
 * @param turn.history ends with the turn's prompt, or with what came after it
 * @param turn.reportedFolders folders that cannot be restored and were named in this conversation already: the same ones in
 *   every turn would hide what is new
 * @returns null where there is no prompt
 */
export function turnCheckpoints(
  checkpoints: Checkpoints,
  turn: {
    conversationId: string;
    runId: string;
    workingFolder: string;
    history: readonly Message[];
    reportedFolders: Set<string>;
    /** Files that one call may delete; 0 = no limit. */
    deleteLimit: number;
  },
  emit: (body: AgentEventBody) => void,
): TurnCheckpoints | null {
  const { conversationId, runId, workingFolder } = turn;
  const prompt = turn.history.findLast(isPrompt);
  if (!prompt) return null;
  const { id: messageId } = prompt;
  const label = titleOf(textOf(prompt.content));

  let isStopped = false;

  /** @returns absolute paths that must stay as they are */
  async function before(call: ChangingCall, isFenced: boolean): Promise<readonly string[]> {
    try {
      const { checkpointId, isNew, notRestorable, readOnly } = await checkpoints.before(call);
      if (isNew) emit({ type: "checkpoint.created", checkpointId, messageId, label });
      const paths = notRestorable.filter(({ path }) => !turn.reportedFolders.has(path));
      for (const { path } of paths) if (path.endsWith("/")) turn.reportedFolders.add(path);
      const isHeld = ({ path }: NotRestorable) =>
        isFenced && readOnly.some((held) => isWithin(resolve(workingFolder, path), held));
      const [held, lost] = [paths.filter(isHeld), paths.filter((path) => !isHeld(path))];
      if (held.length > 0) emit({ type: "checkpoint.limited", checkpointId, paths: held, isReadOnly: true });
      if (lost.length > 0) emit({ type: "checkpoint.limited", checkpointId, paths: lost });
      return readOnly;
    } catch (error) {
      if (call.signal.aborted) throw error;
      const message = error instanceof Error ? error.message : String(error);
      const hint =
        error instanceof StoreError ? error.hint : "Try again. You can turn checkpoints off in the settings.";
      emit({ type: "error", error: { code: "checkpoint", message: `${notKept} ${message}`, hint } });
      throw new Error(`not run. ${notKept} ${message}`, { cause: error });
    }
  }

  /** @returns what the call's result has to say; null: nothing */
  function told(changes: CallChanges | null): string | null {
    if (!changes || changes.deletedFiles < fewestReported) return null;
    const { checkpointId, deletedFiles: files } = changes;
    const isTooMuch = turn.deleteLimit > 0 && files > turn.deleteLimit;
    if (isTooMuch) isStopped = true;
    emit({ type: "checkpoint.deleted", checkpointId, files, isStopped: isTooMuch });
    return isTooMuch ? tooMuch(files, turn.deleteLimit) : null;
  }

  return {
    get isStopped() {
      return isStopped;
    },
    async around({ tool, toolUseId, paths, confinement, signal }, run) {
      const changes = changesOf(tool, paths);
      // Only commands run in a fence, whatever is said of other tools.
      const fence = tool.effect === "execute" ? confinement : undefined;
      if (changes?.length === 0 || fence === "look") return await run([]);
      if (isStopped)
        throw new Error("not run. An earlier call deleted too many files; the user decides now.");
      const about = { conversationId, messageId, runId, label, workingFolder };
      const call = { ...about, toolUseId, paths: changes, signal };
      const readOnly = await before(call, fence === "change");
      let output: ToolOutput;
      try {
        output = await run(readOnly);
      } catch (error) {
        const note = told(await checkpoints.after(call));
        if (note === null) throw error;
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${note}`, {
          cause: error,
        });
      }
      const note = told(await checkpoints.after(call));
      return note === null ? output : { ...output, text: `${output.text}\n\n${note}` };
    },
  };
}

/** So many deleted files are worth a line. */
const fewestReported = 5;

const tooMuch = (files: number, limit: number) =>
  `[Parley: this call deleted ${files} files; one call may delete ${limit} (deleteLimit). The run ends here, and the user can bring the files back.]`;

/** @param folder absolute, as `path` is */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

const notKept = "The current files could not be kept for a rewind.";

/** @returns what a call may change; null: nobody knows beforehand */
function changesOf(tool: Tool, paths: readonly string[]): readonly string[] | null {
  if (tool.changes === "unknown" || tool.effect === "execute") return null;
  if (tool.effect !== "write") return [];
  return tool.touchedPaths ? paths : null;
}
