import { join } from "node:path";
import { gitSettingsText } from "../view/git-files.ts";
import { type HeldFile, heldFiles, stillHeld } from "./held-files.ts";

/** What one command's fence holds. */
export interface HeldByFence {
  files: readonly HeldFile[];
  /** @returns whether what stands now at a path, relative to the folder, is what it holds, or may be left there anyhow */
  isHeld(): (path: string) => boolean;
  /** Git's settings as they were when the fence was made: by the path of each, their text. */
  settings: ReadonlyMap<string, string>;
}

/**
 * Parley asks for what is new in these by name before it counts, wherever it comes from. So the user's own save of one
 * need not be taken away: with `.mcp.json` its servers would go, and with them the question.
 */
const asksAnew = /(^|\/)(agents\.md|claude\.md|gemini\.md|\.mcp\.json)$/i;

/** @param masked absolute @param readOnly relative to the folder */
export async function heldByFence(
  folder: string,
  masked: readonly string[],
  readOnly: readonly string[],
): Promise<HeldByFence> {
  const files = heldFiles([...new Set([...masked, ...readOnly.map((path) => join(folder, path))])]);
  const texts = readOnly
    .filter((path) => /(^|\/)config(\.worktree)?$/.test(path))
    .map(async (path) => [path, (await gitSettingsText(folder, path)) ?? ""] as const);
  return {
    files,
    isHeld: () => {
      const isHeld = stillHeld(files);
      const were = new Set(files.map(({ path }) => path));
      return (path) => isHeld(join(folder, path)) || (asksAnew.test(path) && were.has(join(folder, path)));
    },
    settings: new Map(await Promise.all(texts)),
  };
}
