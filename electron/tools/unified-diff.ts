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
