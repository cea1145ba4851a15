import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { EnvironmentError } from "../../agent/ports/ports.ts";
import { expandHome } from "../../files/expand-home.ts";
import type { GroupRecord } from "../process/group-record.ts";
import { type LocalExecutionEnvironment, openLocalEnvironment } from "./local-environment.ts";

/** The environments of the folders that conversations work in: one a folder, for as long as Parley runs. */
export class WorkingFolders {
  readonly #opened = new Map<string, LocalExecutionEnvironment>();
  readonly #record: GroupRecord | undefined;
  /** Parley's own folder, which is made again where it is gone: nobody moved it to work there. */
  readonly own: string;
  #first: LocalExecutionEnvironment;
  #asked = 0;

  private constructor(
    first: LocalExecutionEnvironment,
    { record, own }: { record: GroupRecord | undefined; own: string },
  ) {
    this.#first = first;
    this.#record = record;
    this.own = own;
    this.#opened.set(first.workingDirectory, first);
  }

  /**
   * @param folder of new conversations; it is made if it is not there
   * @param own Parley's own
   * @param record of the processes that are started, for the next start
   * @throws EnvironmentError
   */
  static async open(folder: string, own: string, record?: GroupRecord): Promise<WorkingFolders> {
    const first = await openLocalEnvironment(folder, { record });
    const path = resolve(expandHome(own));
    const above = await realpath(dirname(path)).catch(() => dirname(path));
    return new WorkingFolders(first, { record, own: join(above, basename(path)) });
  }

  /** Of the folder that new conversations work in. */
  get first(): LocalExecutionEnvironment {
    return this.#first;
  }

  /** New conversations work there from now on; it is made if it is not there. @throws EnvironmentError */
  async startIn(folder: string): Promise<void> {
    const asked = ++this.#asked;
    const opened = await openLocalEnvironment(folder, { record: this.#record });
    const known = this.#opened.get(opened.workingDirectory) ?? opened;
    this.#opened.set(known.workingDirectory, known);
    // Chosen again meanwhile: the last one counts.
    if (asked === this.#asked) this.#first = known;
  }

  /** @param folder absolute @throws EnvironmentError when it is not there: one that was moved is not made anew, but for Parley's own */
  async open(folder: string): Promise<LocalExecutionEnvironment> {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere && folder !== this.own) throw new EnvironmentError(`There is no folder ${folder}.`);
    const opened = await openLocalEnvironment(folder, { record: this.#record });
    // Two names of one folder share what runs in it.
    const known = this.#opened.get(opened.workingDirectory) ?? opened;
    this.#opened.set(known.workingDirectory, known);
    return known;
  }

  /** Ends what still runs in any of them. */
  async cleanup(): Promise<void> {
    await Promise.all([...this.#opened.values()].map((environment) => environment.cleanup()));
  }
}
