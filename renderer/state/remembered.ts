import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../shared/ipc/ipc.ts";
import type { Remembered } from "../../shared/remembered.ts";
import { Store } from "./store.ts";

type Ask = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcResult<IpcOutput[R]>>;

/** What windows remember from start to start. It is comfort alone: a failure to read or keep it is not told. */
export class RememberedState {
  readonly values = new Store<Remembered>({
    isPanelOpen: null,
    isListOpen: true,
    uses: {},
    wasToldOfConsent: false,
    unread: [],
  });
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  load = async (): Promise<void> => {
    const answer = await this.#ask("remembered.get", undefined);
    if (answer.ok) this.values.set(answer.value);
  };

  change = (values: IpcInput<"remembered.change">): void => {
    this.values.set({ ...this.values.get(), ...values });
    void this.#ask("remembered.change", values);
  };
}
