import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Parts of files have no last line of their own: that a text ends without a line break says nothing. */
const withoutEndMarks = (patch: string) => patch.replaceAll("\n\\ No newline at end of file", "").trimEnd();

/** What changes from one text to the other, for people to read. */
export function unifiedDiff(path: string, before: string, after: string): string {
  return withoutEndMarks(
    createTwoFilesPatch(path, path, before, after, undefined, undefined, {
      headerOptions: FILE_HEADERS_ONLY,
    }),
  );
}

/** A file that is written as a whole, as a diff. */
export function additions(path: string, content: string): string {
  return withoutEndMarks(
    createTwoFilesPatch("/dev/null", path, "", content, undefined, undefined, {
      headerOptions: FILE_HEADERS_ONLY,
    }),
  );
}

/** Longer ones are not worth the wait: whoever shows the call has the call itself. */
const diffTimeoutMs = 2000;

/**
 * What changes in a whole file.
 * @param to where it is not the same path
 * @throws Error where comparing takes too long
 */
export function fileDiff(path: string, before: string, after: string, to = path): string {
  const patch = createTwoFilesPatch(path, to, before, after, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
    timeout: diffTimeoutMs,
  });
  if (patch === undefined) throw new Error("The files differ too much to be compared.");
  return patch.replace(/\n$/, "");
}
