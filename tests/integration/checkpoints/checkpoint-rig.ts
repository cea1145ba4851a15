import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckpointReport } from "../../../electron/agent/ports/checkpoint-ports.ts";
import type { Tool, ToolContext, ToolOutput } from "../../../electron/agent/ports/ports.ts";
import {
  type CheckpointEngine,
  checkpointEngine,
} from "../../../electron/store/checkpoints/checkpoint-engine.ts";
import { checkpointRows } from "../../../electron/store/checkpoints/checkpoint-rows.ts";
import { type Limits, limitsOf } from "../../../electron/store/checkpoints/limits.ts";
import type { Database } from "../../../electron/store/database/database.ts";
import { openDatabase } from "../../../electron/store/database/open-database.ts";
import { openLocalEnvironment } from "../../../electron/tools/environment/local-environment.ts";
import { builtInTools } from "../../../electron/tools/registry.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
import { pageThread } from "../../fixtures/page-thread.ts";

/** Checkpoints of one conversation over real files, a real database, and the real tools. */
export class CheckpointRig {
  readonly base: string;
  readonly folder: string;
  readonly file: string;
  database: Database;
  engine: CheckpointEngine;
  limits: Limits;
  /** So much later than the files' own clocks, in milliseconds: what is some seconds old is not read again. */
  aheadMs = 0;
  /** Called whenever an id is made or the time is asked, which is in the middle of a call. */
  onStep: (step: "id" | "time") => void = () => {};
  readonly #tools: readonly Tool[];
  readonly #environment: ToolContext["environment"];
  #calls = 0;
  #ids = 0;

  static async open(settings: Partial<Settings> = {}): Promise<CheckpointRig> {
    const base = mkdtempSync(join(tmpdir(), "parley-checkpoints-"));
    mkdirSync(join(base, "work"));
    return new CheckpointRig(base, await openLocalEnvironment(join(base, "work")), settings);
  }

  private constructor(base: string, environment: ToolContext["environment"], settings: Partial<Settings>) {
    this.base = base;
    this.folder = join(base, "work");
    this.file = join(base, "parley.db");
    this.limits = limitsOf({ ...defaultSettings, ...settings });
    this.#environment = environment;
    const actions = { newSession: async () => {}, stopListening: async () => false };
    this.#tools = builtInTools({ clock: new InstantClock(), actions, pageThread });
    this.database = openDatabase(this.file);
    this.database.exec(
      "INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES ('c', '', 'm', '/', 1, 1)",
    );
    this.engine = this.#engine();
  }

  #engine(): CheckpointEngine {
    const newId = () => {
      this.onStep("id");
      return `checkpoint-${String(++this.#ids).padStart(4, "0")}`;
    };
    // Real time: the files' own clocks are compared with it.
    const now = () => {
      this.onStep("time");
      return Date.now() + this.aheadMs;
    };
    return checkpointEngine(this.database, { now, newId });
  }

  /** At the next such step another thread throws away every content that nothing holds by then. */
  pruneAt(wanted: "id" | "time"): void {
    this.onStep = (step) => {
      if (step !== wanted) return;
      this.onStep = () => {};
      const other = openDatabase(this.file);
      other.exec(
        "DELETE FROM file_blobs WHERE hash NOT IN (SELECT hash_before FROM checkpoint_files WHERE hash_before IS NOT NULL)",
      );
      other.exec("UPDATE file_blob_prunes SET count = count + 1");
      other.close();
    };
  }

  /** As after a crash: the calls that went on are forgotten, what is kept stays. */
  reopen(): void {
    this.database.close();
    this.database = openDatabase(this.file);
    this.engine = this.#engine();
  }

  at(...path: string[]): string {
    return join(this.folder, ...path);
  }

  put(path: string, content: string | Buffer): void {
    writeFileSync(this.at(path), content);
  }

  text(path: string): string {
    return readFileSync(this.at(path), "utf8");
  }

  call(turn: string, paths: readonly string[] | null) {
    const toolUseId = `t${++this.#calls}`;
    return {
      conversationId: "c",
      messageId: turn,
      runId: `run of ${turn}`,
      label: `Prompt ${turn}`,
      toolUseId,
      paths,
      workingFolder: this.folder,
    };
  }

  /** One call of a tool, as the tool runner makes it. */
  async tool(
    turn: string,
    name: string,
    input: object,
  ): Promise<{ report: CheckpointReport; output: ToolOutput }> {
    const tool = this.#tools.find((known) => known.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const parsed = tool.input.parse(input);
    const call = this.call(turn, tool.effect === "execute" ? null : (tool.touchedPaths?.(parsed) ?? null));
    const report = await this.engine.before(call, this.limits);
    const output = await tool
      .run(parsed, this.#context(call.toolUseId))
      .catch((error: unknown) => ({ text: String(error), isError: true }));
    await this.engine.after(call, this.limits);
    return { report, output };
  }

  shell(turn: string, command: string) {
    return this.tool(turn, "shell", { command });
  }

  /** A command that is going on when the app dies; it has changed what it changes. */
  async crashDuring(turn: string, command: string): Promise<void> {
    await this.engine.before(this.call(turn, null), this.limits);
    spawnSync("sh", ["-c", command], { cwd: this.folder });
    this.reopen();
  }

  /** Every one, also of turns that changed nothing. */
  all() {
    return checkpointRows(this.database).all("c");
  }

  list() {
    return checkpointRows(this.database).list("c", 1000);
  }

  async rewind(checkpointId: string, overwrite = true) {
    return await this.engine.rewind("c", checkpointId, { overwrite, part: "files" }, this.limits);
  }

  async redo(overwrite = true) {
    return await this.engine.redo("c", overwrite, this.limits);
  }

  /** Every path below the folder with all that a rewind has to bring back. */
  tree(): Record<string, string> {
    const found: Record<string, string> = {};
    const walk = (within: string) => {
      for (const name of readdirSync(join(this.folder, within)).sort()) {
        const path = within === "" ? name : `${within}/${name}`;
        const target = join(this.folder, path);
        const stats = lstatSync(target);
        const mode = (stats.mode & 0o7777).toString(8);
        if (stats.isSymbolicLink()) found[path] = `link to ${readlinkSync(target)}`;
        else if (stats.isDirectory()) {
          found[path] = `folder ${mode}`;
          walk(path);
        } else found[path] = `file ${mode} ${readFileSync(target).toString("hex")}`;
      }
    };
    walk("");
    return found;
  }

  close(): void {
    this.database.close();
    rmSync(this.base, { recursive: true, force: true });
  }

  #context(toolUseId: string): ToolContext {
    const nobody = () => {
      throw new Error("nobody is there");
    };
    return {
      conversationId: "c",
      toolUseId,
      source: null,
      settings: defaultSettings,
      environment: this.#environment,
      signal: new AbortController().signal,
      progress: () => {},
      ask: async () => nobody(),
      subagents: {
        running: 0,
        checkModel: async () => nobody(),
        spawn: nobody,
        sendInput: nobody,
        wait: async () => nobody(),
        close: async () => nobody(),
      },
      approve: async () => ({ allowed: false }),
      fullOutput: () => undefined,
    };
  }
}
