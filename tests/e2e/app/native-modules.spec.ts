import { existsSync, readFileSync } from "node:fs";
import { fakeMicrophone, silence, writeWav } from "../support/machine/audio.ts";
import { expect, send, test, voiceState } from "../support/test.ts";

/** What of the speech engines a process has in its memory, by the names of the files. */
function speechEnginesIn(pid: number): string[] {
  const lines = readFileSync(`/proc/${pid}/maps`, "utf8").split("\n");
  const files = lines.map((line) => line.slice(line.lastIndexOf("/") + 1));
  return [...new Set(files.filter((file) => /sherpa|onnx|vosk|koffi|uiohook/i.test(file)))];
}

test.skip(!existsSync("/proc/self/maps"), "only Linux says what a process has in its memory");

test("speech engines are in processes of their own, never in main", async ({ start }) => {
  const { app, page } = await start({ switches: fakeMicrophone(writeWav(silence(60_000))) });
  const main = app.process().pid ?? 0;
  expect(speechEnginesIn(main)).toEqual([]);

  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await send(page, "/say Hello.");
  await expect(page.getByTestId("command-answer").last()).toBeVisible();
  const own = await app.evaluate(({ app: { getAppMetrics } }) =>
    getAppMetrics().flatMap(({ name, pid }) => (name === "Parley speech-to-text" ? [pid] : [])),
  );
  expect(own.map((pid) => speechEnginesIn(pid).length > 0)).toEqual([true]);
  expect(speechEnginesIn(main)).toEqual([]);
});
