import { clipboard } from "electron";

/** UTF-16 units: what is longer is cut there. */
export const maxSelectionChars = 200_000;

/**
 * What is selected in another program, where the system tells it without pressing keys there: on Linux. Nothing of it is kept,
 * and nothing goes to a model, unless the user attaches it. @returns null: nothing is selected, or the system does not tell
 */
export async function readSelection(): Promise<string | null> {
  if (process.platform !== "linux") return null;
  const text = (await readPrimary()).slice(0, maxSelectionChars);
  return text.trim() === "" ? null : text;
}

/** Newer versions of Electron have a clipboard of its own for it, older ones an argument. */
async function readPrimary(): Promise<string> {
  const newer: unknown = Reflect.get(clipboard, "selection");
  if (newer !== undefined) return await clipboard.selection.readText();
  const read: unknown = Reflect.get(clipboard, "readText");
  const text: unknown = typeof read === "function" ? Reflect.apply(read, clipboard, ["selection"]) : "";
  return typeof text === "string" ? text : "";
}
