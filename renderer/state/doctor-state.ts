import { type CheckName, type CheckResult, checkNames } from "../../shared/doctor.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../shared/ipc/ipc.ts";
import { Store } from "./store.ts";

type Ask = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcResult<IpcOutput[R]>>;

/** "Check this computer", as the window shows it: what each check found so far. */
export class DoctorState {
  readonly isOpen = new Store(false);
  readonly results = new Store<ReadonlyMap<CheckName, CheckResult>>(new Map());
  readonly #ask: Ask;
  #round = 0;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  open = (): void => {
    this.isOpen.set(true);
    this.checkAll();
  };

  close = (): void => this.isOpen.set(false);

  /** All at the same time; each is shown as soon as it is known. */
  checkAll = (): void => {
    const round = ++this.#round;
    this.results.set(new Map());
    for (const name of checkNames) void this.#check(name, round);
  };

  async #check(name: CheckName, round: number): Promise<void> {
    const answer = await this.#ask("doctor.check", { name });
    if (round !== this.#round) return;
    const result: CheckResult = answer.ok
      ? answer.value
      : { name, state: "failed", found: answer.error.message, todo: answer.error.hint ?? null, ms: 0 };
    this.results.set(new Map(this.results.get()).set(name, result));
  }
}
