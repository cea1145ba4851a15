import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type PermissionRule, permissionRule } from "../../shared/permissions.ts";

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

/** @param folder the working folder */
export function readProjectRules(folder: string): ProjectRules {
  const path = join(folder, ".parley", "permissions.json");
  try {
    if (statSync(path).size > maxBytes) return broken(`${path} is larger than ${maxBytes} bytes.`);
    const parsed = file.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (parsed.success) return { rules: parsed.data.rules };
    return broken(
      `${path}: ${parsed.error.issues.map(({ path: at, message }) => `${at.join(".")}: ${message}`).join("; ")}`,
    );
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return { rules: [] };
    }
    return broken(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const broken = (problem: string): ProjectRules => ({ rules: [], problem });
