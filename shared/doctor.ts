import { z } from "zod";

/** What "Check this computer" looks at, in the order in which it is shown. */
export const checkNames = [
  "key",
  "model",
  "microphone",
  "loopback",
  "recogniser",
  "voice",
  "fence",
  "keyStore",
  "shortcut",
  "tray",
  "disk",
] as const;
export const checkName = z.enum(checkNames);
export type CheckName = z.infer<typeof checkName>;

/** `limited`: Parley goes on without it, or with less. `failed`: something that Parley needs does not work. */
export type CheckState = "ok" | "limited" | "failed";

/** What a check found. None of it holds a key. */
export interface CheckResult {
  name: CheckName;
  state: CheckState;
  /** In a sentence. */
  found: string;
  /** What the user can do; null: nothing has to be done. */
  todo: string | null;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** As people call what is checked. */
export const checkTitle: Readonly<Record<CheckName, string>> = {
  key: "Key",
  model: "Model",
  microphone: "Microphone",
  loopback: "This computer's sound",
  recogniser: "Speech recognition",
  voice: "Voice",
  fence: "Fence for commands",
  keyStore: "Key store",
  shortcut: "Shortcut",
  tray: "Tray icon",
  disk: "Disk",
};

const stateWords: Readonly<Record<CheckState, string>> = {
  ok: "ok     ",
  limited: "limited",
  failed: "FAILED ",
};

/** The results as plain text, to be read in a terminal or pasted into a report. @param head the first line */
export function checkReport(head: string, results: readonly CheckResult[]): string {
  const width = Math.max(...Object.values(checkTitle).map(({ length }) => length));
  const lines = results.map(({ name, state, found, todo }) => {
    const line = `${stateWords[state]}  ${checkTitle[name].padEnd(width)}  ${found}`;
    return todo === null ? line : `${line}\n${" ".repeat(width + 11)}→ ${todo}`;
  });
  return [head, "", ...lines, "", checkSummary(results)].join("\n");
}

/** How it stands, in one line. */
export function checkSummary(results: readonly CheckResult[]): string {
  const count = (state: CheckState) => results.filter((result) => result.state === state).length;
  const [failed, limited] = [count("failed"), count("limited")];
  if (failed > 0) return `${failed} of ${results.length} checks failed.`;
  return limited > 0
    ? `Nothing failed. ${limited} of ${results.length} checks are limited.`
    : "Everything works.";
}
