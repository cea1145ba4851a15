import { z } from "zod";
import type { Tool } from "../../agent/ports/ports.ts";
import { touchedPath } from "../environment/touched-path.ts";
import { commitSteps } from "./patch-commit.ts";
import { type PatchSection, parsePatch } from "./patch-parse.ts";
import { patchPreview } from "./patch-preview.ts";
import { stagePatch } from "./patch-stage.ts";

const description = `Changes, adds, deletes and moves files with one patch: all of it is done, or nothing.
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
In an update every line begins with a blank (kept), "-" (removed) or "+" (added). Give about three kept lines around a change. "@@ line" goes to the first such line below; "*** End of File" after a change says that its lines are the file's last.`;

const input = z.object({ patch: z.string().min(1).describe("From *** Begin Patch to *** End Patch.") });

export const applyPatchTool: Tool<z.infer<typeof input>> = {
  name: "apply_patch",
  description,
  input,
  effect: "write",
  touchedPaths: ({ patch }) => [...new Set(sectionsOf(patch).flatMap(pathsOf))],
  describe: ({ patch }) => patch,
  async preview({ patch }, environment) {
    return await patchPreview(await stagePatch(parsePatch(patch), environment), environment);
  },
  async run({ patch }, { environment }) {
    const sections = parsePatch(patch);
    await commitSteps(await stagePatch(sections, environment), environment);
    return { text: sections.map(done).join("\n") };
  },
};

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
