import { readDiff } from "../conversation/diff-lines.ts";

/** The same files with how many lines come and go; 0 of both where their lines cannot be shown. */
export function changedLines<F extends { diff: string | null }>({ files }: { files: readonly F[] }) {
  return files.map((file) => ({ ...file, ...totalOf(file.diff === null ? [] : readDiff(file.diff)) }));
}

export function totalOf(files: readonly { added: number; removed: number }[]): {
  added: number;
  removed: number;
} {
  return {
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}
