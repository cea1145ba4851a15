import { z } from "zod";
import type { Tool } from "../../agent/ports/ports.ts";
import { inTurn } from "../environment/in-turn.ts";
import { touchedPath } from "../environment/touched-path.ts";
import { commitSteps } from "./patch-commit.ts";
import { type PatchSection, parsePatch } from "./patch-parse.ts";
import { patchPreview } from "./patch-preview.ts";
import { stagePatch } from "./patch-stage.ts";

const description = `Change, add, delete and move files with one patch. Either all of it is applied or none of it. An example:
*** Begin Patch
*** Update File: src/a.ts
@@ class Greeter
   greet() {
-    return "hello";
+    return "good morning";
   }
*** Update File: old/name.ts
*** Move to: new/name.ts
@@
-const a = 1;
+const a = 2;
*** Add File: notes.md
+# Notes
*** Delete File: unused.ts
*** End Patch
In an update, each line begins with a space (unchanged), "-" (removed) or "+" (added). Unchanged and removed lines must match the file. Give about three unchanged lines before and after each change. If these lines occur more than once in the file, put "@@ " and a line above them, such as the class or function that they are in. Put "*** End of File" after a change to the last lines of the file. Changes to one file go from top to bottom.`;

const input = z.object({
  patch: z.string().min(1).describe("The patch, from *** Begin Patch to *** End Patch."),
});

export const applyPatchTool: Tool<z.infer<typeof input>> = {
  name: "apply_patch",
  description,
  input,
  effect: "write",
  touchedPaths: ({ patch }) => [...new Set(sectionsOf(patch).flatMap(pathsOf))],
  withPaths: ({ patch }, of) => ({ patch: withPathsOf(patch, of) }),
  describe: ({ patch }) => patch,
  async preview({ patch }, environment) {
    return await patchPreview(await stagePatch(parsePatch(patch), environment), environment);
  },
  async run({ patch }, context) {
    const { environment } = context;
    const sections = parsePatch(patch);
    await inTurn([...new Set(sections.flatMap(pathsOf))], context, async () =>
      commitSteps(await stagePatch(sections, environment), environment),
    );
    return { text: sections.map(done).join("\n") };
  },
};

/** Lines of files begin with a blank, "+" or "-": what begins with "***" is the patch's own. */
const withPathsOf = (patch: string, of: (path: string) => string) =>
  patch.replaceAll(
    /^(\*\*\* (?:Add File|Delete File|Update File|Move to): *)(.*?)( *\r?)$/gm,
    (_, head: string, path: string, end: string) => `${head}${path && of(path)}${end}`,
  );

/** None of a patch that cannot be read: the call will say what is wrong. */
function sectionsOf(patch: string): PatchSection[] {
  try {
    return parsePatch(patch);
  } catch {
    return [];
  }
}

function pathsOf(section: PatchSection): string[] {
  const moveTo = section.type === "update" ? section.moveTo : undefined;
  return [section.path, ...(moveTo === undefined ? [] : [moveTo])].map(touchedPath);
}

function done(section: PatchSection): string {
  if (section.type === "add") return `Added ${section.path}`;
  if (section.type === "delete") return `Deleted ${section.path}`;
  return section.moveTo === undefined
    ? `Updated ${section.path}`
    : `Moved ${section.path} to ${section.moveTo}`;
}
