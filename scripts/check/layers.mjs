import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { binary, root, run } from "../setup/run.mjs";

// node scripts/check/layers.mjs FOLDER: checks the source tree in FOLDER against the rules of .dependency-cruiser.cjs.
const folder = process.argv[2] ?? root;
const trees = ["electron", "renderer", "shared"].filter((name) => existsSync(join(folder, name)));
const config = join(root, ".dependency-cruiser.cjs");
const { code, output } = await run(
  process.execPath,
  [binary("dependency-cruiser", "depcruise"), ...trees, "--config", config, "--output-type", "json"],
  { cwd: folder, quiet: true },
);
if (!output.startsWith("{")) {
  console.error(output);
  process.exit(code || 1);
}
const { modules, summary } = JSON.parse(output);

for (const { rule, from, to, cycle } of summary.violations) {
  const path = cycle?.map(({ name }) => name).join(" → ") ?? to;
  console.error(`${rule.name}: ${from} → ${path}`);
}
const sources = trees.flatMap((tree) => sourceFiles(tree));
const read = new Set(modules.map(({ source }) => source));
// A cruiser that cannot parse our language reports nothing wrong: it must have read every file.
const unread = sources.filter((file) => !read.has(file));
if (unread.length > 0) console.error(`not read: ${unread.join(", ")}`);
// The cruiser follows imports alone: what `createRequire` makes may only find a path, or it would be a way around the rules.
const requiring = sources.filter((file) =>
  /\brequire\s*\(|\bcreateRequire\([^)]*\)\s*\(/.test(readFileSync(join(folder, file), "utf8")),
);
for (const file of requiring) console.error(`no-require: ${file} → import it instead`);
const breaches = summary.violations.length + requiring.length;
console.log(`${read.size} modules, ${sources.length} source files, ${breaches} breaches`);
process.exit(breaches > 0 || unread.length > 0 || sources.length === 0 ? 1 : 0);

function sourceFiles(tree) {
  return readdirSync(join(folder, tree), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    );
}
