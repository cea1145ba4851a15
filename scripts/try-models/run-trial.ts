import { fork } from "node:child_process";
import { resolve } from "node:path";
import { nothing, type TrialOrder, type TrialResult, trialResult } from "./trial.ts";

/** So long a model may take for everything, in milliseconds: a slow computer reads 700 MB and half a minute of speech. */
const patienceMs = 15 * 60_000;

/** Tries a model in a process of its own, whose death is a result like any other. */
export function runTrial(order: TrialOrder): Promise<TrialResult> {
  const child = fork(resolve(import.meta.dirname, "try-one.ts"), [], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(-keptChars);
  });
  return new Promise((done) => {
    const patience = setTimeout(() => child.kill("SIGKILL"), patienceMs);
    let result: TrialResult | null = null;
    child.once("message", (message) => {
      result = trialResult.parse(message);
    });
    child.once("close", (code, signal) => {
      clearTimeout(patience);
      const why = said.trim().split("\n").at(-1) ?? "";
      done(result ?? nothing(`the native code ended its process (${signal ?? code})${why && `: ${why}`}`));
    });
    child.send(order);
  });
}

const keptChars = 2_000;
