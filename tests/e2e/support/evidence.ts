import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ElectronApplication, TestInfo } from "playwright/test";
import { killNow } from "../../fakes/processes.ts";

/** An app that a test started. */
interface Started {
  app: ElectronApplication;
  userData: string;
  /** Ids of main and everything it started. */
  processes(): number[];
  /** It outlives the test. */
  isOfWorker: boolean;
  isOver: boolean;
}

/** Those of the test that runs, and those of its worker. */
let started: Started[] = [];

/** For each step of keeping what a failed test leaves, in milliseconds: the app may hang. */
const stepMs = 10_000;

/** What the test did to the app is recorded from here on; kept only when the test fails. */
export async function watchApp(watched: Omit<Started, "isOver">): Promise<void> {
  // The benchmarks and the soak start apps, too, and keep nothing.
  if (process.env.TEST_WORKER_INDEX === undefined) return;
  const entry = { ...watched, isOver: false };
  started.push(entry);
  watched.app.once("close", () => {
    entry.isOver = true;
  });
  await watched.app.context().tracing.start();
}

/**
 * What is needed to understand a failure, in the test's output folder: of each app a picture of every window, Playwright's
 * trace, the log, and the database with what was said and heard.
 */
export async function keepEvidence(info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return;
  for (const [index, { app, userData, isOver }] of started.entries()) {
    const folder = info.outputPath(`app-${index + 1}`);
    if (existsSync(folder)) continue;
    mkdirSync(folder, { recursive: true });
    if (!isOver) {
      for (const [number, page] of app.windows().entries())
        await page
          .screenshot({ path: join(folder, `window-${number + 1}.png`), timeout: stepMs })
          .catch(noted);
      const trace = app.context().tracing.stop({ path: join(folder, "trace.zip") });
      await Promise.race([trace.catch(noted), wait(stepMs)]);
    }
    const kept = existsSync(userData) ? readdirSync(userData) : [];
    for (const name of kept.filter((one) => /^(logs|parley\.db.*)$/.test(one)))
      cpSync(join(userData, name), join(folder, name), { recursive: true });
  }
}

/** Nothing that a test leaves running holds up those after it. */
export function endLeftApps(): void {
  for (const { isOver, isOfWorker, processes } of started)
    if (!isOver && !isOfWorker) for (const pid of processes()) killNow(pid);
  started = started.filter(({ isOver, isOfWorker }) => isOfWorker && !isOver);
}

const noted = (error: unknown) => console.error(`not kept: ${String(error)}`);
