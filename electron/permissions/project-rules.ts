import { join } from "node:path";
import { z } from "zod";
import { type PermissionRule, permissionRule } from "../../shared/permissions.ts";
import { codeOf } from "../files/calls.ts";
import { readFileAt } from "../files/read-file-at.ts";
import { doNow } from "../files/work.ts";

const maxBytes = 100_000;

/** Nothing that a project brings runs outside of the fence. */
const rule = permissionRule.refine(({ outside }) => outside === undefined, {
  message: "a project cannot let a command run outside of the fence",
});
const file = z.strictObject({ rules: z.array(rule).max(500) });

/** Rules of a project: in its `.parley/permissions.json`, `{"rules": […]}`. */
export interface ProjectRules {
  readonly rules: readonly PermissionRule[];
  /** Why the file cannot be used: what it would forbid is not known, so everything asks. */
  readonly problem?: string;
}

/** @param folder the working folder, free of links: a file that a link puts elsewhere cannot be used */
export function readProjectRules(folder: string): ProjectRules {
  const path = join(folder, ".parley", "permissions.json");
  try {
    const { bytes } = doNow(readFileAt(folder, path, { maxBytes: maxBytes + 1 }));
    if (bytes.length > maxBytes) return broken(`${path} is larger than ${maxBytes} bytes.`);
    const parsed = file.safeParse(JSON.parse(bytes.toString("utf8")));
    if (parsed.success) return { rules: parsed.data.rules };
    return broken(
      `${path}: ${parsed.error.issues.map(({ path: at, message }) => `${at.join(".")}: ${message}`).join("; ")}`,
    );
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return { rules: [] };
    return broken(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const broken = (problem: string): ProjectRules => ({ rules: [], problem });
