import type { AgentEventBody } from "../../shared/events.ts";
import { type Message, promptOrigin, textOf } from "../../shared/messages.ts";
import type { ChangingCall, Checkpoints } from "./checkpoint-ports.ts";
import { StoreError, type Tool } from "./ports.ts";
import { titleOf } from "./title.ts";

/** Keeps what the calls of one turn change; sub-agents' calls are of the turn that started them. */
export interface TurnCheckpoints {
  /**
   * Runs a call between keeping what it may change and noting what it left. One that changes no files just runs.
   * @param paths that it touches, as the tool names them
   * @throws Error when nothing could be kept: the call was not run then; the user was told
   */
  around<T>(
    call: { tool: Tool; toolUseId: string; paths: readonly string[]; signal: AbortSignal },
    run: () => Promise<T>,
  ): Promise<T>;
}

/**
 * @param turn.history ends with the turn's prompt, or with what came after it
 * @param turn.toldFolders folders that cannot be restored and were named in this conversation already: the same ones in
 *   every turn would hide what is new
 * @returns null where there is no prompt
 */
export function turnCheckpoints(
  checkpoints: Checkpoints,
  turn: {
    conversationId: string;
    workingFolder: string;
    history: readonly Message[];
    toldFolders: Set<string>;
  },
  emit: (body: AgentEventBody) => void,
): TurnCheckpoints | null {
  const { conversationId, workingFolder } = turn;
  const prompt = turn.history.findLast(({ origin }) => promptOrigin.safeParse(origin).success);
  if (!prompt) return null;
  const { id: messageId } = prompt;
  const label = titleOf(textOf(prompt.content));

  async function before(call: ChangingCall): Promise<void> {
    try {
      const { checkpointId, isNew, notRestorable } = await checkpoints.before(call);
      if (isNew) emit({ type: "checkpoint.created", checkpointId, messageId, label });
      const paths = notRestorable.filter(({ path }) => !turn.toldFolders.has(path));
      for (const { path } of paths) if (path.endsWith("/")) turn.toldFolders.add(path);
      if (paths.length > 0) emit({ type: "checkpoint.limited", checkpointId, paths });
    } catch (error) {
      if (call.signal.aborted) throw error;
      const message = error instanceof Error ? error.message : String(error);
      const hint = error instanceof StoreError ? error.hint : "Try again; checkpoints can be switched off.";
      emit({ type: "error", error: { code: "checkpoint", message: `${notKept} ${message}`, hint } });
      throw new Error(`not run. ${notKept} ${message}`, { cause: error });
    }
  }

  return {
    async around({ tool, toolUseId, paths, signal }, run) {
      const changes = changesOf(tool, paths);
      if (changes?.length === 0) return await run();
      const call = { conversationId, messageId, label, toolUseId, paths: changes, workingFolder, signal };
      await before(call);
      try {
        return await run();
      } finally {
        await checkpoints.after(call);
      }
    },
  };
}

const notKept = "The files as they are could not be kept for a rewind.";

/** @returns what a call may change; null: nobody knows beforehand */
function changesOf(tool: Tool, paths: readonly string[]): readonly string[] | null {
  if (tool.changes === "unknown" || tool.effect === "execute") return null;
  if (tool.effect !== "write") return [];
  return tool.touchedPaths ? paths : null;
}
