import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runDataJob } from "../../../electron/compose/data-job.ts";
import { composeLaunch } from "../../../electron/compose/launch.ts";
import { parseLaunch } from "../../../electron/desktop/launch/launch-request.ts";
import type { PromptNews } from "../../../electron/desktop/launch/prompt-output.ts";
import type { PromptRequest } from "../../../electron/desktop/launch/prompt-request.ts";
import { servePrompts } from "../../../electron/desktop/launch/prompt-socket.ts";
import { endsWithUs } from "../../fixtures/ends-with-us.ts";
import { root } from "../../unit/docs/pages.ts";
import { bare, isLaunch, terminalCommands } from "./shown-commands.ts";

vi.mock("electron", () => {
  const app = { getVersion: () => "0.1.0", getPath: () => "/nowhere" };
  return { app, default: { app } };
});

const launches = terminalCommands
  .filter(isLaunch)
  .map(({ line, ...command }) => ({ line, words: bare({ line, ...command }).slice(1) }))
  // Named, not shown.
  .filter(({ words }) => words.join() !== "-p");
/** Each once; a back-up is made before it is restored. */
const shown = [...new Map(launches.map((one) => [one.words.join("\n"), one])).values()].sort(
  (a, b) => Number(a.line.includes("--restore")) - Number(b.line.includes("--restore")),
);

/**
 * Whether it does what it says is shown in the real app: e2e/app/launcher.spec.ts (windows), e2e/app/command-line.spec.ts
 * (prompts, also by `bin/parley` itself) and e2e/app/backup.spec.ts.
 */
let folder: string;
/** What the app that runs was asked for. */
const done: string[] = [];
const asked: PromptRequest[] = [];
let end = (): void => {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-shown-"));
  writeFileSync(
    join(folder, "launch.mjs"),
    `const [{ parseLaunch }, { promptCommand }] = await Promise.all(
      ["launch-request", "prompt-command"].map((name) => import(${JSON.stringify(root)} + "/electron/desktop/launch/" + name + ".ts")),
    );
    const { prompt } = parseLaunch(process.argv, "0.1.0");
    process.exit(await promptCommand(prompt, ${JSON.stringify(folder)}, () => false));`,
  );
  const served = servePrompts(folder, {
    run: async (request, tell) => {
      asked.push(request);
      tell(reply(`About: ${request.text}`));
      tell({ type: "ended", code: 0, said: null });
      return 0;
    },
    isApp: true,
    warn: (message) => expect.fail(message),
  });
  end = () => served.end();
});
afterAll(() => {
  end();
  rmSync(folder, { recursive: true });
});

function reply(words: string): PromptNews {
  const content = [{ type: "text" as const, text: words }];
  const message = { id: "m", role: "assistant" as const, origin: null, source: null, createdAt: 1, content };
  return { type: "event", event: { id: 1, conversationId: "c", at: 1, type: "message.added", message } };
}

/** The app that runs, as far as another start can ask anything of it. */
const launched = composeLaunch({
  base: {
    settings: { current: () => ({ "voice.source": "microphone" }), onChange: () => {} },
    problems: { report: ({ message }: { message: string }) => done.push(`problem: ${message}`) },
  },
  windows: {
    openMain: (id?: string) => done.push(`window ${id ?? ""}`.trim()),
    quick: { toggle: () => done.push("quick prompt") },
  },
  agent: { conversations: { start: ({ reference }: { reference: string }) => ({ id: reference }) } },
} as never);

test("documents show what `parley` is called with", () => expect(shown.length).toBeGreaterThan(10));

test.each(shown)("$line", async ({ line, words }) => {
  const launch = parseLaunch(["electron", "--launch", ...words], "0.1.0");
  if (!launch.ok) {
    expect(launch.code, launch.said).toBe(0);
    expect(launch.said).toMatch(words.includes("--version") ? /^Parley 0\.1\.0$/m : /^Usage: parley/);
  } else if ("job" in launch) {
    const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const code = await runDataJob(
      { ...launch.job, file: join(folder, launch.job.file) },
      join(folder, "data"),
    );
    const [[line] = []] = said.mock.calls;
    said.mockRestore();
    expect(code).toBe(0);
    expect(line).toMatch(
      launch.job.type === "restore" ? /already here/ : /^Backed up to .*\.parley-back-up: /,
    );
  } else if ("prompt" in launch) await answered(line, words);
  else {
    done.length = 0;
    launched.again(launch.request);
    const name = words.indexOf("--session") + 1;
    expect(done).toEqual([
      words.includes("--quick") ? "quick prompt" : name > 0 ? `window ${words[name]}` : "window",
    ]);
  }
});

/** `parley -p` as a process of its own, which has the app that runs answer. */
async function answered(line: string, words: readonly string[]): Promise<void> {
  const args = ["--import", "tsx", join(folder, "launch.mjs"), "--launch", ...words];
  const child = spawn(process.execPath, args, { cwd: root, stdio: "pipe" });
  endsWithUs(child);
  const isPiped = line.includes("|");
  child.stdin.end(isPiped ? "from the pipe\n" : "");
  const [printed, said, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  expect(said).toBe("");
  expect(code).toBe(0);
  const behind = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : null);
  expect(asked.at(-1)).toEqual({
    text: behind("-p"),
    level: behind("--level"),
    folder: words.includes("--cwd") ? join(root, behind("--cwd") ?? "") : null,
    reference: behind("--continue"),
    input: isPiped ? "from the pipe\n" : "",
  });
  if (words.includes("--json")) expect(JSON.parse(printed)).toMatchObject({ type: "message.added" });
  else expect(printed).toBe(`About: ${behind("-p")}\n`);
}

const exitOf = (child: ChildProcess) => new Promise((done) => child.once("exit", done));
