import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { register } from "tsx/esm/api";
import { root } from "./setup/run.mjs";

// npm run security-doc: writes the part of SECURITY.md that is made from the attacks, and what came through of them.
register();
const { withAttackTable } = await import("../tests/attacks/attack-table.ts");
const file = join(root, "SECURITY.md");
writeFileSync(file, withAttackTable(readFileSync(file, "utf8")));
