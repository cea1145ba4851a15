import type { FolderFacts } from "../../shared/ipc/conversation-routes.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../shared/ipc/ipc.ts";

type Ask = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcResult<IpcOutput[R]>>;

/** Where conversations work: what is known of a folder, and which were used lately. */
export class Folders {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Of the conversation's folder; null where that cannot be had. */
  async facts(conversationId: string): Promise<FolderFacts | null> {
    const answer = await this.#ask("folder.facts", { conversationId });
    return answer.ok ? answer.value : null;
  }

  /** The last used first. */
  async recent(): Promise<string[]> {
    const answer = await this.#ask("folder.recent", undefined);
    return answer.ok ? answer.value.folders : [];
  }
}
