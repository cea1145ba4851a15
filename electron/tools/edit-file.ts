import { z } from "zod";
import type { ExecutionEnvironment, Tool, ToolOutput } from "../agent/ports/ports.ts";
import { inTurn } from "./environment/in-turn.ts";
import { bytesOf, counted, lineEnding, lineNumber } from "./environment/text-content.ts";
import { touchedPath } from "./environment/touched-path.ts";
import { readEditable } from "./patch/editable-file.ts";
import { inOwnSigns, type Place, placesAlike, strangeSigns } from "./patch/look-alikes.ts";
import { nearestLines } from "./patch/nearest-lines.ts";
import { fileDiff, unifiedDiff } from "./patch/unified-diff.ts";

/** Of the places of a text that is not unique. */
const maxPlaces = 10;

const input = z.object({
  path: z.string().min(1).describe("The file."),
  old_string: z
    .string()
    .min(1)
    .describe(
      "The text to replace, exactly as it is in the file, indentation included, without line numbers.",
    ),
  new_string: z.string().describe("The text to put in its place."),
  replace_all: z
    .boolean()
    .default(false)
    .describe("Replace every occurrence, such as when you rename something."),
});

export const editFileTool: Tool<z.infer<typeof input>> = {
  name: "edit_file",
  description:
    "Replace text in a file. old_string must match the file exactly and occur only once: include enough of the lines around it, or set replace_all. Line endings stay as they are, and so do typographic quotes, dashes and blanks that old_string has in their plain form.",
  input,
  effect: "write",
  touchedPaths: ({ path }) => [touchedPath(path)],
  withPaths: (call, of) => ({ ...call, path: of(call.path) }),
  describe: ({ path, old_string, new_string, replace_all }) =>
    `${unifiedDiff(path, old_string, new_string)}${replace_all ? "\n(at every place where it occurs)" : ""}`,
  async preview({ path, old_string, new_string, replace_all }, environment) {
    const { text: before } = await readEditable(path, environment);
    const found = find(before, old_string);
    const { length } = found.places;
    if (length === 0 || (length > 1 && !replace_all)) throw new Error("The call will fail.");
    return fileDiff(path, before, edited(before, found, old_string, new_string));
  },
  async run(edit, context) {
    const { path, old_string, new_string } = edit;
    if (old_string === new_string) return failure("old_string and new_string are the same: nothing to do.");
    return await inTurn([path], context, () => change(edit, context.environment));
  },
};

async function change(
  { path, old_string, new_string, replace_all }: z.infer<typeof input>,
  environment: ExecutionEnvironment,
): Promise<ToolOutput> {
  const { text: before, encoding } = await readEditable(path, environment);
  const found = find(before, old_string);
  const { places, isAlike } = found;
  if (places.length === 0) {
    return failure(`old_string is not in ${path}.${nearestLines(before, old_string)}`);
  }
  if (places.length > 1 && !replace_all) {
    const lines = places.slice(0, maxPlaces).map(({ start }) => lineNumber(before, start));
    const more = places.length > maxPlaces ? ", …" : "";
    const inWhat = isAlike ? ` with other signs that look alike${signsAt(before, places, old_string)}` : "";
    return failure(
      `old_string is in ${path}${inWhat} ${places.length} times (lines ${lines.join(", ")}${more}). Include more of the text around the one you mean, or set replace_all.`,
    );
  }
  const after = edited(before, found, old_string, new_string);
  await environment.writeFile(path, bytesOf(after, encoding));
  const where = lineNumber(before, places[0]?.start ?? 0);
  const count = places.length === 1 ? `line ${where}` : counted(places.length, "place");
  const kept = isAlike
    ? ` It has other signs that look like those of old_string${signsAt(before, places, old_string)}, and they were kept.`
    : "";
  return { text: `Changed ${path} (${count}).${kept}` };
}

const failure = (text: string): ToolOutput => ({ text, isError: true });

interface Found {
  places: Place[];
  /** They only look like what is wanted. */
  isAlike: boolean;
}

function find(text: string, wanted: string): Found {
  const exact = placesOf(text, wanted);
  return exact.length > 0
    ? { places: exact, isAlike: false }
    : { places: placesAlike(text, wanted, placesOf), isAlike: true };
}

/** In parentheses, which signs `wanted` does not have. */
function signsAt(text: string, places: readonly Place[], wanted: string): string {
  const signs = strangeSigns(places.map(({ start, end }) => text.slice(start, end)).join(""), wanted);
  return signs === "" ? "" : ` (${signs})`;
}

/** Where `wanted` stands, none overlapping another. A line end that is written `\n` stands for the file's own. */
function placesOf(text: string, wanted: string): Place[] {
  const escaped = wanted.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const pattern = wanted.includes("\r") ? escaped : escaped.replaceAll("\n", "\\r?\\n");
  return [...text.matchAll(new RegExp(pattern, "gu"))].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}

/** The line end that the replaced text had, else the file's usual one. */
function endingAt(text: string, { start, end }: Place): string {
  return /\r?\n/.exec(text.slice(start, end))?.[0] ?? lineEnding(text);
}

function edited(before: string, { places, isAlike }: Found, wanted: string, by: string): string {
  const verbatim = wanted.includes("\r") || by.includes("\r");
  return replaced(before, places, (place) => {
    const own = before.slice(place.start, place.end);
    const asWanted = wanted.includes("\r") ? own : own.replaceAll("\r\n", "\n");
    const text = isAlike ? inOwnSigns(asWanted, wanted, by) : by;
    return verbatim ? text : text.replaceAll("\n", endingAt(before, place));
  });
}

/** Everything between the places stays as it is, unit by unit. */
function replaced(text: string, places: readonly Place[], by: (place: Place) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (const place of places) {
    parts.push(text.slice(at, place.start), by(place));
    at = place.end;
  }
  return parts.join("") + text.slice(at);
}
