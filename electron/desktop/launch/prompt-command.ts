import { Console } from "node:console";
import { fstatSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { assertLockable, isLockHeld } from "./instance-lock.ts";
import { type ExitCode, exitCodes, type PromptNews, promptPrinter } from "./prompt-output.ts";
import { maxInputChars, type PromptRequest, type PromptWords } from "./prompt-request.ts";
import { askRunning, type RunPrompt, servePrompts } from "./prompt-socket.ts";
import { askAgainMs, longestStartMs } from "./start-times.ts";
import { wordsOf } from "./start-work.ts";

/** A prompt that no instance took: this process does it. */
export interface OwnPrompt {
  /**
   * Does it, and those that other starts of `parley -p` ask of this process meanwhile. From now on the signals that end a
   * program end the prompt, in place of those who took them since.
   * @returns its exit code, when all have ended
   */
  run(runPrompt: RunPrompt, warn: (message: string) => void): Promise<ExitCode>;
}

/** Ctrl+C, a wish of the system's, the end of the terminal. */
const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * `parley -p`: reads what comes on the standard input, and has the instance that runs do it.
 * @param takeLock makes this process that instance
 * @returns the exit code, when the answer was read; or the prompt, where none runs
 * @throws Error where nothing can run in this user-data folder
 */
export async function promptCommand(
  words: PromptWords,
  userData: string,
  takeLock: () => boolean,
): Promise<ExitCode | OwnPrompt> {
  const stop = new AbortController();
  const own = await askedOrOwn(words, userData, takeLock, stop);
  return typeof own === "number" ? await readToEnd(own, stop.signal) : own;
}

async function askedOrOwn(
  words: PromptWords,
  userData: string,
  takeLock: () => boolean,
  stop: AbortController,
): Promise<ExitCode | OwnPrompt> {
  const { stdout, stderr, stdin } = process;
  // Nothing but the answer stands there: the log's own lines go elsewhere.
  globalThis.console = new Console(stderr, stderr);
  const terminal = {
    print: (text: string) => void stdout.write(text),
    say: (text: string) => void stderr.write(text),
    isTerminal: stdout.isTTY,
  };
  const tell = promptPrinter(terminal, words.json);
  // Whoever read it has gone. Prompts of others may run here: it ends no process.
  stdout.on("error", () => stop.abort());
  stderr.on("error", () => {});
  takeSignals(stop);
  const input = hasInput() ? await textOf(stdin, stop.signal) : { text: "" };
  if (stop.signal.aborted) {
    tell({ type: "ended", code: exitCodes.interrupted, said: "Interrupted." });
    return exitCodes.interrupted;
  }
  if ("failed" in input) {
    tell({ type: "ended", code: exitCodes.failed, said: input.failed });
    return exitCodes.failed;
  }
  const request = { ...words.request, input: input.text };
  // One that is starting does not listen yet, and one that ends has the lock for a moment longer.
  const giveUpAt = performance.now() + longestStartMs;
  for (;;) {
    const code = await askRunning(userData, request, tell, stop.signal);
    if (code !== null) return code;
    if (stop.signal.aborted) return exitCodes.interrupted;
    if (!(await isLockHeld(userData))) {
      if (takeLock()) return ownPrompt(userData, { request, tell, stop });
      assertLockable(userData);
    }
    if (performance.now() > giveUpAt) break;
    await wait(askAgainMs);
  }
  const said = "Parley runs, but takes no prompts of the command line: its log says why.";
  tell({ type: "ended", code: exitCodes.failed, said });
  return exitCodes.failed;
}

interface Asked {
  request: PromptRequest;
  tell(news: PromptNews): void;
  stop: AbortController;
}

/** The signals that end a program stop this, in place of those who took them since. A second one waits for nothing. */
function takeSignals(stop: AbortController): void {
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted);
    stop.abort();
  };
  for (const signal of endSignals) {
    const others = process.listeners(signal);
    // First: with no listener for a moment, a signal that comes then would be lost.
    process.on(signal, interrupt);
    for (const other of others) process.off(signal, other);
  }
}

/** Takes the prompts of other starts from now on: they wait until there is somebody to run them. */
function ownPrompt(userData: string, { request, tell, stop }: Asked): OwnPrompt {
  let begin = (_run: RunPrompt): void => {};
  const begun = new Promise<RunPrompt>((resolve) => {
    begin = resolve;
  });
  const warnings: string[] = [];
  let warn = (message: string): void => void warnings.push(message);
  const others = servePrompts(userData, {
    run: async (...asked) => (await begun)(...asked),
    isApp: false,
    warn: (message) => warn(message),
  });
  return {
    async run(runPrompt, warnLog) {
      warn = warnLog;
      for (const message of warnings) warn(message);
      takeSignals(stop);
      begin(runPrompt);
      const code = await readToEnd(await runPrompt(request, tell, stop.signal), stop.signal);
      // It is answered: whether somebody still reads is nothing to the others.
      process.stdout.removeAllListeners("error").on("error", () => {});
      if (others.count > 0) {
        const stopOthers = new AbortController();
        const stopped = new Promise((resolve) => stopOthers.signal.addEventListener("abort", resolve));
        takeSignals(stopOthers);
        process.stderr.write("parley: Other prompts still run in this process. Ctrl+C ends them.\n");
        await Promise.race([others.answered(), stopped]);
      }
      others.end();
      return code;
    },
  };
}

/** Waits until all that was printed is read, or nobody reads any more, or it is stopped: an exit drops the rest. */
async function readToEnd(code: ExitCode, stopped: AbortSignal): Promise<ExitCode> {
  if (stopped.aborted) return code;
  const isStopped = new Promise<ExitCode>((resolve) =>
    stopped.addEventListener("abort", () => resolve(exitCodes.interrupted)),
  );
  return await Promise.race([allRead(code), isStopped]);
}

async function allRead(code: ExitCode): Promise<ExitCode> {
  const isRead = (stream: NodeJS.WriteStream) =>
    new Promise<void>((resolve) => stream.write("", () => resolve()));
  await Promise.all([isRead(process.stdout), isRead(process.stderr)]);
  return code;
}

/** A file or a pipe; a terminal would be waited for. */
function hasInput(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFile() || stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

/** @returns what had come where it is stopped; in words, why it cannot go beside a prompt */
async function textOf(
  stream: NodeJS.ReadStream,
  stopped: AbortSignal,
): Promise<{ text: string } | { failed: string }> {
  let text = "";
  // Whoever holds the other end of a pipe may never close it.
  stopped.addEventListener("abort", () => stream.destroy());
  try {
    for await (const chunk of stream.setEncoding("utf8")) {
      text += chunk;
      if (text.length > maxInputChars) return { failed: tooMuchInput };
    }
  } catch (error) {
    if (!stopped.aborted) return { failed: `The standard input cannot be read: ${wordsOf(error)}` };
  }
  return text.includes("\0") ? { failed: "What came on the standard input is not text." } : { text };
}

const tooMuchInput = `More than ${maxInputChars.toLocaleString("en")} characters came on the standard input.`;
