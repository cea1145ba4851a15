import { writeFileSync } from "node:fs";
import { vitestReport } from "./results.mjs";

/** A reporter for Vitest: writes what became of each test, as JSON, to the file that PARLEY_TEST_REPORT names. */
export default class ResultsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.PARLEY_TEST_REPORT;
    if (file) writeFileSync(file, JSON.stringify(vitestReport(modules, unhandledErrors)));
  }
}
