import { readFileSync, rmSync } from "node:fs";
import type { ElectronApplication } from "playwright/test";
import { z } from "zod";

const trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      tid: z.number(),
      /** How long it took, and for how much of that it had a processor: microseconds. */
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.object({ name: z.unknown() }).partial().optional(),
    }),
  ),
});

/** The longest that the audio page's own thread was at one thing, in milliseconds; `cpuMs`: on the processor. */
export interface LongestTask {
  ms: number;
  cpuMs: number;
  tasks: number;
}

/** Traces the audio page's own thread from now on. @returns what ends that, and tells */
export async function traceAudioPage(app: ElectronApplication): Promise<() => Promise<LongestTask>> {
  await app.evaluate(async ({ BrowserWindow, contentTracing }) => {
    const page = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/audio/"));
    if (!page) throw new Error("There is no audio page.");
    await contentTracing.startRecording({
      included_categories: ["toplevel"],
      included_process_ids: [page.webContents.getOSProcessId()],
    });
  });
  return async () => {
    const file = await app.evaluate(({ contentTracing }) => contentTracing.stopRecording());
    const { traceEvents } = trace.parse(JSON.parse(readFileSync(file, "utf8")));
    rmSync(file);
    const page = traceEvents.find(
      ({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain",
    );
    const tasks = traceEvents.filter(
      ({ name, tid, dur }) => tid === page?.tid && dur && /RunTask$/.test(name),
    );
    if (tasks.length === 0) throw new Error("The trace holds no task of the audio page.");
    const longest = (of: "dur" | "tdur") =>
      Math.round(tasks.reduce((most, task) => Math.max(most, task[of] ?? 0), 0) / 100) / 10;
    return { ms: longest("dur"), cpuMs: longest("tdur"), tasks: tasks.length };
  };
}
