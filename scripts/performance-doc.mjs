import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performanceChart, performancePage } from "./performance-page.mjs";
import { root } from "./setup/run.mjs";

// npm run performance-doc: writes docs/performance.md and its chart from the figures that were kept.
const read = (name) => JSON.parse(readFileSync(join(root, "tests/bench", name), "utf8"));
const real = existsSync(join(root, "tests/bench/real-numbers.json")) ? read("real-numbers.json") : null;
const baseline = read("baseline.json");
writeFileSync(join(root, "docs/performance.md"), performancePage(baseline, real));
writeFileSync(join(root, "docs/performance.svg"), performanceChart(baseline));
