import { distance } from "fastest-levenshtein";
import { cutBefore, linesOf } from "../environment/text-content.ts";
import { strangeSigns } from "./look-alikes.ts";

/** A file of very many lines is not looked through to its end for a hint. */
const maxLines = 20_000;
const maxChars = 200;
/** Shown before and after the nearest line. */
const around = 2;

/**
 * For a text that was not found: where the file has something like it.
 * @returns a sentence and numbered lines to stand after the refusal, or nothing where nothing is near
 */
export function nearestLines(text: string, wanted: string): string {
  const [first] = linesOf(wanted).filter((line) => line.trim() !== "");
  if (first === undefined) return "";
  const lines = linesOf(text);
  const best = nearest(lines.slice(0, maxLines), squeezed(first));
  if (best === undefined) return " Nothing in it is similar; read the file first.";
  const start = Math.max(0, best - around);
  const height = linesOf(wanted).length + 2 * around;
  const shown = lines.slice(start, start + Math.min(height, 20));
  const numbered = shown.map(
    (line, index) => `${String(start + index + 1).padStart(6)}→${line.slice(0, cutBefore(line, maxChars))}`,
  );
  const signs = strangeSigns(shown.join("\n"), wanted);
  const named = signs === "" ? "" : `\nSigns in them that old_string does not have: ${signs}.`;
  return ` The nearest lines are these; compare blanks and punctuation:\n${numbered.join("\n")}${named}`;
}

/** @returns the index of the line most like `wanted`; undefined when even that has more than half of it different */
function nearest(lines: readonly string[], wanted: string): number | undefined {
  let best: number | undefined;
  let least = Math.max(1, wanted.length / 2);
  for (const [index, line] of lines.entries()) {
    const candidate = squeezed(line);
    // The difference in length is the least that can differ.
    if (Math.abs(candidate.length - wanted.length) >= least) continue;
    const differing = distance(candidate, wanted);
    if (differing >= least) continue;
    best = index;
    least = differing;
    if (differing === 0) break;
  }
  return best;
}

const squeezed = (line: string) => line.trim().replace(/\s+/g, " ").slice(0, maxChars);
