import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { attackClasses } from "./corpus.ts";

const run = z.strictObject({
  platform: z.string(),
  /** Says which attacks there were: see `digestOf`. */
  digest: z.string(),
  /** Their ids. */
  through: z.array(z.string()),
  notRun: z.array(z.string()),
});

/** The same only where the ids are the same. */
export const digestOf = (ids: readonly string[]): string =>
  createHash("sha256")
    .update([...ids].sort().join("\n"))
    .digest("hex");

/** What came through when the attacks were played last: with a fence, and without. */
const record = z.strictObject({ fenced: run, unfenced: run });
export type AttackRecord = z.infer<typeof record>;

export function readRecord(): AttackRecord {
  const file = join(import.meta.dirname, "came-through.json");
  return record.parse(JSON.parse(readFileSync(file, "utf8")));
}

const begin = "<!-- Made by `npm run security-doc` from tests/attacks. -->";
const end = "<!-- End of what is made. -->";

/** A page with the table as it is now. @throws Error where the page has no place for it */
export function withAttackTable(page: string, played: AttackRecord = readRecord()): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`SECURITY.md has no part between “${begin}” and “${end}”.`);
  return `${page.slice(0, from)}${begin}\n\n${attackTable(played)}\n\n${page.slice(to)}`;
}

function attackTable({ fenced, unfenced }: AttackRecord): string {
  const rows = attackClasses.map(({ name, attacks }) =>
    row(
      name,
      attacks.map(({ id }) => id),
      fenced,
      unfenced,
    ),
  );
  const all = attackClasses.flatMap(({ attacks }) => attacks.map(({ id }) => id));
  const notRun = [...new Set([...fenced.notRun, ...unfenced.notRun])].sort();
  return [
    `| What was tried | Attacks | Came through the fence (${nameOf(fenced)}) | Came through without one (${nameOf(unfenced)}) |`,
    "|---|---|---|---|",
    ...rows,
    row("**All**", all, fenced, unfenced),
    "",
    notRun.length === 0
      ? "All of them were played."
      : `Not played, for want of a program on the computer that played them: ${notRun.join(", ")}.`,
  ].join("\n");
}

function row(name: string, ids: readonly string[], ...runs: readonly AttackRecord["fenced"][]): string {
  const cells = runs.map(({ notRun, through }) => {
    const played = ids.filter((id) => !notRun.includes(id));
    return `${played.filter((id) => through.includes(id)).length} of ${played.length}`;
  });
  return `| ${[name, ids.length, ...cells].join(" | ")} |`;
}

const nameOf = ({ platform }: AttackRecord["fenced"]) =>
  ({ linux: "Linux", darwin: "macOS", win32: "Windows" })[platform] ?? platform;
