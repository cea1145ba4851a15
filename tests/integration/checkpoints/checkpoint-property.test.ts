import fc from "fast-check";
import { expect, test } from "vitest";
import { CheckpointRig } from "./checkpoint-rig.ts";

/** Names that meet: files and folders take each other's places. */
const name = fc.constantFrom("a", "b", "sp ace", "ü-日本.txt", "'q'\"");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const text = fc.constantFrom("", "one\n", "two\nlines\n", "no end", "ünïcode 🎉\n".repeat(40));
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** Shell commands that may fail: then nothing is changed, or half of it. */
const command = fc.oneof(
  fc
    .tuple(path, text)
    .map(([to, said]) => `mkdir -p "$(dirname ${quoted(to)})"; printf %s ${quoted(said)} > ${quoted(to)}`),
  fc.tuple(path, text).map(([to, said]) => `printf %s ${quoted(said)} >> ${quoted(to)}`),
  path.map((to) => `rm -rf ${quoted(to)}`),
  path.map((to) => `mkdir -p ${quoted(to)}`),
  path.map((to) => `: > ${quoted(to)}`),
  fc.tuple(path, path).map(([from, to]) => `mv ${quoted(from)} ${quoted(to)}`),
  fc.tuple(path, path).map(([from, to]) => `cp -R ${quoted(from)} ${quoted(to)}`),
  fc
    .tuple(fc.constantFrom("a", "../..", "nowhere/at/all", "/etc/hostname", "b"), path)
    .map(([to, at]) => `ln -sfn ${quoted(to)} ${quoted(at)}`),
  fc
    .tuple(fc.constantFrom("600", "755", "444", "4711"), path)
    .map(([mode, at]) => `[ -L ${quoted(at)} ] || chmod ${mode} ${quoted(at)}`),
  fc
    .tuple(fc.constantFrom("\\000\\377\\001", "\\n\\r\\000"), path)
    .map(([bytes, at]) => `printf '${bytes}' > ${quoted(at)}`),
);

type Step =
  | { type: "write" | "edit"; path: string; text: string }
  | { type: "move" | "delete"; path: string; to: string }
  | { type: "shell"; command: string }
  | { type: "turn" | "manual" | "restart" }
  | { type: "crash"; command: string }
  | { type: "rewind"; place: number }
  | { type: "redo" };

const kinds = <T extends string>(...all: T[]) => fc.constantFrom<T>(...all);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: kinds("write", "edit"), path, text }) },
  { weight: 2, arbitrary: fc.record({ type: kinds("move", "delete"), path, to: path }) },
  { weight: 6, arbitrary: fc.record({ type: kinds("shell"), command }) },
  { weight: 4, arbitrary: fc.record({ type: kinds("turn", "manual", "restart") }) },
  { weight: 1, arbitrary: fc.record({ type: kinds("crash"), command }) },
  { weight: 3, arbitrary: fc.record({ type: kinds("rewind"), place: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ type: kinds("redo") }) },
);

test("whatever tools and commands did: a rewind brings the tree back to the byte, and so does a redo", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const rig = await CheckpointRig.open();
      try {
        await play(rig, steps);
      } finally {
        rig.close();
      }
    }),
    { numRuns: Number(process.env.CHECKPOINT_RUNS ?? 25), endOnFailure: false },
  );
});

async function play(rig: CheckpointRig, steps: readonly Step[]): Promise<void> {
  /** The tree as each checkpoint found it. */
  const trees = new Map<string, Record<string, string>>();
  /** The trees that redos go back to, the next one last. */
  const undone: Record<string, string>[] = [];
  let turn = 1;
  const change = async (work: () => Promise<unknown>) => {
    const before = rig.tree();
    await work();
    for (const { id } of rig.all()) if (!trees.has(id)) trees.set(id, before);
  };
  for (const next of steps) {
    if (next.type === "turn") turn++;
    else if (next.type === "restart") rig.reopen();
    else if (next.type === "rewind") {
      const known = rig.list();
      const target = known[next.place % Math.max(1, known.length)];
      if (!target) continue;
      const before = rig.tree();
      const outcome = await rig.rewind(target.id);
      expect(rig.tree()).toEqual(trees.get(target.id));
      expect(outcome.files.filter(({ result }) => result === "skipped" || result === "failed")).toEqual([]);
      if (outcome.redoCheckpointId === null) expect(rig.tree()).toEqual(before);
      else {
        trees.set(outcome.redoCheckpointId, before);
        undone.push(before);
      }
    } else if (next.type === "redo") {
      const goal = undone.pop();
      if (!goal) {
        await expect(rig.redo()).rejects.toThrow("no rewind");
        continue;
      }
      const before = rig.tree();
      const { redoCheckpointId } = await rig.redo();
      expect(rig.tree()).toEqual(goal);
      if (redoCheckpointId !== null) trees.set(redoCheckpointId, before);
    } else await change(() => doStep(rig, `m${turn}`, next));
  }
}

async function doStep(rig: CheckpointRig, turn: string, step: Step): Promise<void> {
  if (step.type === "write") await rig.tool(turn, "write_file", { path: step.path, content: step.text });
  if (step.type === "edit") {
    await rig.tool(turn, "edit_file", { path: step.path, old_string: "one", new_string: step.text });
  }
  if (step.type === "move" || step.type === "delete") {
    const section =
      step.type === "delete"
        ? `*** Delete File: ${step.path}`
        : `*** Update File: ${step.path}\n*** Move to: ${step.to}`;
    await rig.tool(turn, "apply_patch", { patch: `*** Begin Patch\n${section}\n*** End Patch` });
  }
  if (step.type === "shell") await rig.shell(turn, step.command);
  if (step.type === "manual")
    await rig.engine.create("c", { messageId: turn, label: "", workingFolder: rig.folder });
  if (step.type === "crash") await rig.crashDuring(turn, step.command);
}
