import { writeFileSync } from "node:fs";

/**
 * A reporter for vitest that writes what the closing summary needs to the file that PARLEY_TEST_REPORT names:
 * counts, and each failure with its reason, as JSON ({@link import("./summary.mjs").Report}).
 */
export default class SummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.PARLEY_TEST_REPORT;
    if (file) writeFileSync(file, JSON.stringify(reportOf(modules, unhandledErrors)));
  }
}

/** An error that no test caught counts as a failure, as does a file that could not be loaded. */
export function reportOf(modules, unhandledErrors) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  const fail = (name, errors) => {
    counts.failed += 1;
    failures.push({ name, reason: errors[0]?.message ?? "no reason was given" });
  };
  for (const module of modules) {
    const own = module.errors();
    if (own.length > 0) fail(module.relativeModuleId, own);
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === "failed") fail(`${module.relativeModuleId} › ${test.fullName}`, errors ?? []);
      else if (state === "passed") counts.passed += 1;
      else counts.skipped += 1;
    }
  }
  for (const error of unhandledErrors) fail("an error that no test caught", [error]);
  const times = modules.map((module) => ({
    file: module.relativeModuleId,
    ms: module.diagnostic().duration,
  }));
  return { ...counts, failures, times };
}
