import type { CheckName, CheckResult } from "../../../shared/doctor.ts";
import { checkNames } from "../../../shared/doctor.ts";
import { type Check, type RunCheckOptions, runCheck } from "./run-check.ts";

/** "Check this computer": each check by itself, so that none hides another. */
export class Doctor {
  readonly #checks: ReadonlyMap<CheckName, Check>;
  readonly #options: RunCheckOptions;
  /** A check that goes on is not begun twice: two would be in each other's way. */
  readonly #running = new Map<CheckName, Promise<CheckResult>>();

  constructor(checks: readonly Check[], options: RunCheckOptions) {
    this.#checks = new Map(checks.map((check) => [check.name, check]));
    this.#options = options;
  }

  /** Never rejects but for a name that there is no check of. */
  check(name: CheckName): Promise<CheckResult> {
    const known = this.#checks.get(name);
    if (!known) return Promise.reject(new Error(`There is no check “${name}”.`));
    const running = this.#running.get(name) ?? runCheck(known, this.#options);
    this.#running.set(name, running);
    void running.finally(() => this.#running.delete(name));
    return running;
  }

  /** All at the same time; the results in their order. */
  all(): Promise<CheckResult[]> {
    return Promise.all(checkNames.filter((name) => this.#checks.has(name)).map((name) => this.check(name)));
  }
}
