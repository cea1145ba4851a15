import type { UserError } from "../../shared/conversation/events.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../shared/ipc/ipc.ts";
import type { TrustRequest } from "../../shared/safety/trust.ts";
import { Store } from "./store.ts";

type Ask = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcResult<IpcOutput[R]>>;

/** Some of it may be used; what is refused is left out either way. */
export const canTrust = ({ files }: TrustRequest): boolean => files.some(({ refusal }) => refusal === null);

/** What the folder of the shown conversation brings that waits for the user's word. */
export class Trust {
  readonly request = new Store<TrustRequest | null>(null);
  readonly #ask: Ask;
  readonly #onFailure: (error: UserError) => void;
  #asked = 0;
  #conversationId: string | null = null;
  #folder: string | null = null;

  constructor(ask: Ask, onFailure: (error: UserError) => void) {
    this.#ask = ask;
    this.#onFailure = onFailure;
  }

  /** Which conversation is shown, and where it works. */
  showFor(conversationId: string, folder: string): void {
    if (conversationId === this.#conversationId && folder === this.#folder) return;
    // What another folder brings must not be answered here.
    if (folder !== this.#folder) this.request.set(null);
    this.#conversationId = conversationId;
    this.#folder = folder;
    void this.load();
  }

  /** Looks again. An answer that a later one overtook is dropped. */
  load = async (): Promise<void> => {
    const conversationId = this.#conversationId;
    if (conversationId === null) return;
    const asked = ++this.#asked;
    const answer = await this.#ask("trust.request", { conversationId });
    if (!answer.ok || asked !== this.#asked) return;
    const { request } = answer.value;
    // The same card stays: whoever reads in it is not thrown back to its beginning.
    if (request?.id !== this.request.get()?.id) this.request.set(request);
  };

  answer = async (id: string, isTrusted: boolean): Promise<void> => {
    const conversationId = this.#conversationId;
    if (conversationId === null) return;
    const result = await this.#ask("trust.answer", { conversationId, id, isTrusted });
    if (!result.ok) this.#onFailure(result.error);
    await this.load();
  };
}
