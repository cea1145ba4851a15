import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { ExitCode, PromptNews } from "../../../../electron/desktop/launch/prompt-output.ts";
import { askRunning, servePrompts } from "../../../../electron/desktop/launch/prompt-socket.ts";
import { endsWithUs } from "../../../fixtures/ends-with-us.ts";

const command = join(import.meta.dirname, "../../../../electron/desktop/launch/prompt-command.ts");

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-prompt-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** `parley -p hi` as a process of its own. @param then what it does with `asked`, what came of that: else no instance takes it */
function asks(folder: string, stdio: StdioOptions, then?: string) {
  const words = { request: { text: "hi", level: null, folder: null, reference: null }, json: false };
  const script = join(folder, "ask.mjs");
  const values = [words, folder].map((value) => JSON.stringify(value));
  writeFileSync(
    script,
    `const { promptCommand } = await import(${JSON.stringify(command)});
    const asked = await promptCommand(${values}, () => ${then !== undefined});
    ${then ?? "process.exit(asked);"}`,
  );
  const cwd = join(import.meta.dirname, "../../../..");
  const child = spawn(process.execPath, ["--import", "tsx", script], { cwd, stdio });
  endsWithUs(child);
  return child;
}

function streamOf(stream: unknown): Readable {
  if (stream instanceof Readable) return stream;
  throw new Error("It has no such pipe.");
}

/** The app that runs, which answers every prompt so. @returns resolves when it has, and the prompt's process has let go of it */
function answering(folder: string, code: ExitCode, ...told: PromptNews[]): Promise<void> {
  return new Promise((resolve) => {
    const served = servePrompts(folder, {
      run: async (_request, tell, stopped) => {
        stopped.addEventListener("abort", () => resolve());
        for (const news of told) tell(news);
        return code;
      },
      isApp: true,
      warn: (message) => expect.fail(message),
    });
    onTestFinished(() => served.end());
  });
}

function reply(words: string): PromptNews {
  const content = [{ type: "text" as const, text: words }];
  const own = { id: "m", role: "assistant" as const, origin: null, source: null, createdAt: 1 };
  const message = { ...own, content };
  return { type: "event", event: { id: 1, conversationId: "c", at: 1, type: "message.added", message } };
}

// Bug: `parley -p hi` with a standard input that nobody may read from, such as `0>file`, never ended and said nothing.
test("a standard input that cannot be read ends the prompt with code 1, and with why", async () => {
  const folder = newFolder();
  const input = openSync(join(folder, "input"), "w");
  onTestFinished(() => closeSync(input));
  const child = asks(folder, [input, "pipe", "pipe"]);
  const [said, [code]] = await Promise.all([text(streamOf(child.stderr)), once(child, "exit")]);
  expect(said).toMatch(/^parley: The standard input cannot be read: .*EBADF/m);
  expect(code).toBe(1);
});

// Bug: `parley -p "What is this?" < picture.png` sent the picture as thousands of signs that mean nothing.
test("a standard input that is no text is refused in words", async () => {
  const folder = newFolder();
  const file = join(folder, "picture.png");
  writeFileSync(file, Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
  const input = openSync(file, "r");
  onTestFinished(() => closeSync(input));
  const child = asks(folder, [input, "pipe", "pipe"]);
  const [said, [code]] = await Promise.all([text(streamOf(child.stderr)), once(child, "exit")]);
  expect(said).toMatch(/^parley: What came on the standard input is not text\.$/m);
  expect(code).toBe(1);
});

// Bug: what a slow reader had not taken yet when the answer was there, such as all behind its first 64 kB, was lost.
test("a reader that is slow gets all of the answer", async () => {
  const folder = newFolder();
  const words = "word ".repeat(400_000);
  const answered = answering(folder, 0, reply(words), { type: "ended", code: 0, said: null });
  const child = asks(folder, ["ignore", "pipe", "inherit"]);
  const ended = once(child, "exit");
  await answered;
  const out = await text(streamOf(child.stdout));
  expect(out.length).toBe(words.trim().length + 1);
  expect(await ended).toEqual([0, null]);
});

// Bug: with a newer version running, the first event that this one does not know ended it without the answer.
test("news of a newer version are passed over; the answer comes", async () => {
  const folder = newFolder();
  const newer: PromptNews[] = JSON.parse(
    '[{ "type": "event", "event": { "id": 1, "conversationId": "c", "at": 1, "type": "of tomorrow" } }, { "type": "tomorrow" }]',
  );
  void answering(folder, 0, ...newer, reply("Hello"), { type: "ended", code: 0, said: null });
  const told: PromptNews[] = [];
  const request = { text: "hi", level: null, folder: null, reference: null, input: "" };
  const tell = (news: PromptNews) => void told.push(news);
  expect(await askRunning(folder, request, tell, new AbortController().signal)).toBe(0);
  expect(told).toEqual([reply("Hello"), { type: "ended", code: 0, said: null }]);
});

/** @returns waits until it has said these words, and tells what it has said by then */
function listener(stream: Readable): (words: string) => Promise<string> {
  let said = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  return async (words) => {
    while (!said.includes(words)) {
      if (stream.readableEnded) expect.fail(`It said: ${said}`);
      await Promise.race([once(stream, "data"), once(stream, "end")]);
    }
    return said;
  };
}

// Bug: after Ctrl+C, or where nobody read its own answer any more, the next Ctrl+C broke off the prompts of others at once.
test("prompts of others end cleanly by the Ctrl+C that comes after the one of the own prompt", async () => {
  const folder = newFolder();
  const child = asks(
    folder,
    ["ignore", "pipe", "pipe"],
    `setInterval(() => {}, 1000); // Electron's main process stays.
    const run = ({ text }, tell, stopped) => new Promise((resolve) => {
      process.stderr.write("runs " + text);
      stopped.addEventListener("abort", () => resolve(130));
    });
    const code = await asked.run(run, () => {});
    process.stdout.write("cleaned up", () => process.exit(code));`,
  );
  const says = listener(streamOf(child.stderr));
  const ended = once(child, "exit");
  await says("runs hi");
  const request = { text: "other", level: null, folder: null, reference: null, input: "" };
  const other = askRunning(folder, request, () => {}, new AbortController().signal);
  await says("runs other");
  child.kill("SIGINT");
  await says("Other prompts still run");
  child.kill("SIGINT");
  expect(await text(streamOf(child.stdout))).toBe("cleaned up");
  expect(await ended).toEqual([130, null]);
  expect(await other).toBe(1);
});

// Bug: in `parley -p hi 2>&1 | head -1` the words on the standard error broke the process, since nobody read them any more.
test("where nobody reads what it says, its exit code still does", async () => {
  const folder = newFolder();
  const answered = answering(folder, 3, { type: "ended", code: 3, said: "It needs your approval." });
  const child = asks(folder, ["ignore", "ignore", "pipe"]);
  streamOf(child.stderr).destroy();
  const ended = once(child, "exit");
  await answered;
  expect(await ended).toEqual([3, null]);
});
