import type { Recording } from "../support/machine/sound.ts";
import { button, inState, openModels, row, test } from "../support/mirror.ts";
import { expect, send } from "../support/test.ts";

const isAudible = (samples: number[]) => samples.some((sample) => Math.abs(sample) > 0.01);

/** How much of what is to be heard is the voice's one note of 400 Hz: 20 waves in each 50 ms. 0–1 */
function shareOfNote(recording: Recording): number {
  const audible = recording.blocks().filter(isAudible);
  const waves = audible.map(
    (samples) => samples.filter((sample, at) => at > 0 && sample >= 0 && (samples[at - 1] ?? 0) < 0).length,
  );
  return waves.filter((count) => Math.abs(count - 20) <= 1).length / audible.length;
}

test("a voice that was downloaded speaks: its own note is to be heard", async ({
  start,
  mirror,
  soundEnv,
  record,
}) => {
  const { page } = await start({ ...mirror.options, env: { ...mirror.options.env, ...soundEnv } });
  const speech = (state: string) => page.locator(`[data-testid="speech-state"][data-state="${state}"]`);
  const note = async (words: string) => {
    const recording = record();
    await send(page, `/say ${words}`);
    await expect(speech("speaking")).toBeAttached();
    await expect(speech("silent")).toBeAttached();
    await recording.stop();
    return shareOfNote(recording);
  };
  expect(await note("hello there hello there")).toBeLessThan(0.5);
  await openModels(page);
  await expect(row(page, "Hum")).toContainText("Voice · en, de");
  await button(page, "Download Hum").click();
  await inState(page, "Hum", "installed");
  await row(page, "Hum").getByRole("button", { name: "Use" }).click();
  await expect(row(page, "Hum")).toContainText("in use");
  expect(await note("hello there hello there")).toBeGreaterThan(0.8);
});
