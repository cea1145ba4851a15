import { join } from "node:path";
import { z } from "zod";
import { type PermissionRule, permissionRule } from "../../shared/safety/permissions.ts";
import { maxBytes, parseSmallJson, readSmallFile } from "../files/small-file.ts";

/** Nothing that a project brings runs outside of the fence. */
const rule = permissionRule.refine(({ outside }) => outside === undefined, {
  message: "a project cannot let a command run outside of the fence",
});
const file = z.strictObject({ rules: z.array(rule).max(500) });

/** Where a project keeps its rules, in its folder. */
export const projectRulesFile = join(".parley", "permissions.json");

/** Rules of a project: in its `.parley/permissions.json`, `{"rules": […]}`. */
export interface ProjectRules {
  readonly rules: readonly PermissionRule[];
  /** What they were read from; null: there is no such file, or it cannot be read. */
  readonly source: { readonly path: string; readonly text: string } | null;
  /** Why the file cannot be used: what it would forbid is not known, so everything asks. Nothing that it says is in it. */
  readonly problem?: string;
}

/** @param folder the working folder, free of links: a file that a link puts elsewhere cannot be used */
export function readProjectRules(folder: string): ProjectRules {
  const path = join(folder, projectRulesFile);
  const read = readSmallFile(path, { most: maxBytes.rules, within: folder });
  if (read.kind === "missing") return { rules: [], source: null };
  if (read.kind === "refused") return { rules: [], source: null, problem: `${path} ${read.why}.` };
  const parsed = parseProjectRules(read.text);
  const source = { path, text: read.text };
  if (typeof parsed !== "string") return { rules: parsed, source };
  return { rules: [], source, problem: `${path} ${parsed}.` };
}

/** @returns what is wrong, to go on after the file's name */
export function parseProjectRules(text: string): readonly PermissionRule[] | string {
  try {
    const parsed = file.safeParse(parseSmallJson(text));
    if (parsed.success) return parsed.data.rules;
    const [issue] = parsed.error.issues;
    const [name, place] = issue?.path ?? [];
    // Of our own words alone nothing that it says can be read.
    const why = issue?.code === "custom" ? ` (${issue.message})` : "";
    if (name !== "rules") return 'is not `{"rules": […]}`';
    return typeof place === "number"
      ? `has a rule that is wrong: number ${place + 1}${why}`
      : "has no list of rules";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
