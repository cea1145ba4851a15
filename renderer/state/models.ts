import type { Effort } from "../../shared/conversation/effort.ts";
import type { UserError } from "../../shared/conversation/events.ts";
import { namedModel } from "../../shared/conversation/model-choice.ts";
import type { ConversationView } from "../../shared/conversation/transcript.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../shared/ipc/ipc.ts";
import type { ModelList, ModelRow, ModelState } from "../../shared/ipc/model-routes.ts";
import { Store } from "./store.ts";

type Ask = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcResult<IpcOutput[R]>>;

/** A conversation, and what was chosen for it. */
type ShownChoice = Pick<ConversationView, "conversationId" | "chosenModel" | "chosenEffort">;

/** Who answers in the shown conversation, kept as it is in main, and the list of who could. */
export class Models {
  readonly state = new Store<ModelState | null>(null);
  /** null: it is not known yet. */
  readonly list = new Store<ModelList | null>(null);
  readonly #ask: Ask;
  readonly #onFailure: (error: UserError) => void;
  #shown: ShownChoice | null = null;
  #asked = 0;
  #listed = 0;
  /** The list was wanted before a conversation was shown. */
  #isWanted = false;

  constructor(ask: Ask, onFailure: (error: UserError) => void) {
    this.#ask = ask;
    this.#onFailure = onFailure;
  }

  showFor({ conversationId, chosenModel, chosenEffort }: ShownChoice): void {
    const shown = this.#shown;
    const isSame =
      shown?.conversationId === conversationId &&
      shown.chosenModel === chosenModel &&
      shown.chosenEffort === chosenEffort;
    if (isSame) return;
    this.#shown = { conversationId, chosenModel, chosenEffort };
    void this.load();
    if (this.#isWanted) void this.open();
  }

  /** No conversation is shown any more. */
  forget = (): void => {
    this.close();
    this.#shown = null;
    this.#asked++;
    this.state.set(null);
    this.list.set(null);
  };

  /** Called after every change in main. An answer that a later one overtook is dropped. */
  load = async (): Promise<void> => {
    if (!this.#shown) return;
    const asked = ++this.#asked;
    const answer = await this.#ask("model.state", { conversationId: this.#shown.conversationId });
    if (answer.ok && asked === this.#asked) this.state.set(answer.value);
  };

  /** Asks the provider, once the user wants to see it. */
  open = async (): Promise<void> => {
    this.#isWanted = !this.#shown;
    if (!this.#shown) return;
    const listed = ++this.#listed;
    this.list.set(null);
    const answer = await this.#ask("model.list", { conversationId: this.#shown.conversationId });
    if (listed !== this.#listed) return;
    this.list.set(answer.ok ? answer.value : noModels(answer.error));
  };

  close = (): void => {
    this.#listed++;
    this.#isWanted = false;
    if (this.list.get() === null) void this.#ask("model.stopList", undefined);
  };

  choose = (changes: { model?: string; effort?: Effort }): Promise<void> =>
    this.#do((conversationId) => this.#ask("model.choose", { conversationId, ...changes }));

  /** New conversations begin with what counts for this one. */
  keep = (): Promise<void> => this.#do((conversationId) => this.#ask("model.keep", { conversationId }));

  async #do(act: (conversationId: string) => Promise<IpcResult<unknown>>): Promise<void> {
    if (!this.#shown) return;
    const answer = await act(this.#shown.conversationId);
    if (!answer.ok) this.#onFailure(answer.error);
    await this.load();
  }
}

/** Whether this is what answers now. @param list everything that can be chosen: a name counts only where none has its id */
export function isAnswering(
  { id, provider, name }: ModelRow,
  state: ModelState,
  list: readonly ModelRow[],
): boolean {
  const isIt = (row: Pick<ModelRow, "id" | "provider">) =>
    row.provider === state.provider && namedModel(row.id).model === state.modelId;
  if (list.some(isIt)) return isIt({ id, provider });
  return provider === state.provider && name === state.modelName;
}

const noModels = (problem: UserError): ModelList => ({
  models: [],
  recent: [],
  current: { id: "", provider: "", name: "", price: null },
  problem,
});
