import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** What changes from one text to the other, for people to read. */
export function unifiedDiff(path: string, before: string, after: string): string {
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
  }).trimEnd();
}

/** A file that is written as a whole, as a diff. */
export function additions(path: string, content: string): string {
  return createTwoFilesPatch("/dev/null", path, "", content, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
  }).trimEnd();
}
