import { isAbsolute, join } from "node:path";

/** A path of the working folder for one that begins in a folder of it. What does not begin there stays as it is. */
export function fromFolder(folder: string, path: string): string {
  return isAbsolute(path) || path === "~" || /^~[\\/]/.test(path) ? path : join(folder, path);
}

/** The way back: as it is named from the folder. What lies elsewhere is named from the working folder. */
export function nameIn(folder: string | undefined, path: string): string {
  if (folder === undefined) return path;
  const start = `${folder.replaceAll("\\", "/")}/`;
  return path.startsWith(start) ? path.slice(start.length) : path;
}

/** A path as it is shown in a list: line breaks and other controls stand there escaped, so that each entry is one line. */
export const shownName = (path: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  path.replace(/[\u0000-\u001f\u007f]/g, (char) =>
    JSON.stringify(char).slice(1, -1).replace("\u007f", "\\u007f"),
  );
