import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { whyNoFence } from "../../fixtures/fence-there.ts";

const withoutFence = (await whyNoFence()) !== null;
const source = join(import.meta.dirname, "../../fixtures/small-disk-source.mjs");
const outcome = z.object({
  ended: z.string().nullable(),
  problem: z.string().nullable(),
  after: z.string(),
});

/** Runs a fenced command where the working folder and the database are on a disk of 64 MB, in namespaces of its own. */
function onSmallDisk(command: string, options = "size=64m") {
  const disk = mkdtempSync(join(tmpdir(), "parley-disk-"));
  const script = 'mount -t tmpfs -o "$5" tmpfs "$1" && TMPDIR="$1" exec "$2" "$3" "$4"';
  const args = ["-Urm", "bash", "-c", script, "bash", disk, process.execPath, source, command, options];
  const output = execFileSync("unshare", args, { encoding: "utf8", timeout: 90_000 });
  return outcome.parse(JSON.parse(output.trim().split("\n").at(-1) ?? ""));
}

describe.skipIf(withoutFence || process.platform !== "linux")("a command that fills the disk", () => {
  test.each([
    [
      "with many files",
      "for i in $(seq 1 500); do head -c 1000000 /dev/zero > f-$i; sleep 0.02; done; echo done",
    ],
    ["with one file", "head -c 500000000 /dev/zero > f; sleep 60"],
    [
      "in its temporary folder",
      "for i in $(seq 1 500); do head -c 1000000 /dev/zero > $TMPDIR/f-$i; sleep 0.02; done",
    ],
  ])("is ended as a whole, and the database still writes: %s", (_, command) => {
    expect(onSmallDisk(command)).toEqual({
      ended: "it left less than 24 MB of the disk free",
      problem: null,
      after: "42\n",
    });
  });

  // Bug: only the room on a disk was counted: a command made so many empty files that nothing could be saved there any more.
  test("with empty files is ended before there can be no more of them", () => {
    const many = "for i in $(seq 1 6000); do touch f-$i; done; sleep 20";
    const { ended, problem, after } = onSmallDisk(many, "size=64m,nr_inodes=4000");
    expect(ended).toMatch(/^it left room for less than 19\d\d files on the disk$/);
    expect([problem, after]).toEqual([null, "42\n"]);
  });
});
