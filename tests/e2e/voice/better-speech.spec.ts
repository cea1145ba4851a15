import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright/test";
import { someOf, whole } from "../../fakes/net/file-server.ts";
import { deadlyVoice } from "../../fixtures/onnx-voices.ts";
import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { openModels, row, test, weights } from "../support/mirror.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, voiceState } from "../support/test.ts";

const offer = (page: Page, kind: "recogniser" | "voice") => page.getByTestId(`offer-${kind}`);
const click = (page: Page, kind: "recogniser" | "voice", name: string | RegExp) =>
  offer(page, kind).getByRole("button", { name }).click();

/** At the pace of speech, so that it goes on while something is clicked. */
const recording = () =>
  writeWav(
    silence(3000),
    ...Array.from({ length: 12 }, () => [clipSamples("librivox_0870"), silence(1500)]).flat(),
  );

test("the recogniser that comes along says how good it is; one click downloads a better one and uses it at once", async ({
  startWithModel,
  mirror,
}) => {
  mirror.answers.set("/loud/model.onnx", [someOf(weights, 2_600_000), whole(weights)]);
  const { page } = await startWithModel(mirror.options);
  // On the first start, before anything was said.
  await expect(page.getByTestId("offer-recogniser")).toContainText(
    "Basic recogniser: about one word in six wrong",
  );
  await shots(page, "better-speech-first-start");
  await send(page, `/voice start file ${recording()}`);
  await expect(voiceState(page, "listening")).toBeAttached();
  await expect(offer(page, "recogniser")).toContainText("about one word in six wrong");
  await shots(page, "better-speech-offered");
  expect(mirror.requests).toEqual([]);
  await click(page, "recogniser", "Get better (4 MB)");
  await expect(offer(page, "recogniser")).toContainText("3 MB of 4 MB");
  await shots(page, "better-speech-downloading");
  await click(page, "recogniser", "Pause");
  await expect(offer(page, "recogniser")).toHaveAttribute("data-state", "offered");
  await click(page, "recogniser", "Get better (4 MB)");
  await expect(offer(page, "recogniser")).toHaveCount(0);
  expect(mirror.requests.map(({ range }) => range)).toEqual([undefined, "bytes=2600000-", undefined]);
  // The same session goes on with it: it hears nothing but one word.
  await expect(
    page
      .getByTestId("message-user")
      .filter({ hasText: /loud loud/ })
      .first(),
  ).toBeVisible();
  await send(page, "/voice stop");
  await openModels(page);
  await expect(row(page, "Loudness")).toContainText("in use");
  await expect(row(page, "Loudness")).toContainText("Recommended for English");
  await expect(row(page, "Loudness")).toContainText("untested");
  await row(page, "Loudness").scrollIntoViewIfNeeded();
  await shots(page, "better-speech-catalogue");
});

test("what is not wanted now is not offered again, also after a restart; the catalogue keeps it", async ({
  startWithModel,
  mirror,
}) => {
  const first = await startWithModel(mirror.options);
  await expect(offer(first.page, "recogniser")).toBeVisible();
  await click(first.page, "recogniser", "Not now");
  await expect(offer(first.page, "recogniser")).toHaveCount(0);
  await first.close();
  const { page } = await startWithModel({ ...mirror.options, home: first.home });
  await expect(page.getByTestId("welcome")).toBeVisible();
  await expect(offer(page, "recogniser")).toHaveCount(0);
  await openModels(page);
  await expect(row(page, "Loudness")).toContainText("Recommended for English");
});

test("a natural voice is offered when a reply is spoken for the first time, and the next reply has it", async ({
  startWithModel,
  mirror,
  soundEnv,
}) => {
  const { page } = await startWithModel({
    env: { ...mirror.options.env, ...soundEnv },
    settings: { "voice.declined": ["recogniser"] },
  });
  const speech = (state: string) => page.locator(`[data-testid="speech-state"][data-state="${state}"]`);
  await expect(page.getByTestId("welcome")).toBeVisible();
  await expect(offer(page, "voice")).toHaveCount(0);
  await send(page, "/say hello there");
  await expect(offer(page, "voice")).toContainText("Replies can be spoken by a natural voice");
  await expect(speech("silent")).toBeAttached();
  await shots(page, "better-voice-offered");
  await click(page, "voice", /Get better \(\d+ MB\)/);
  await expect(offer(page, "voice")).toHaveCount(0);
  await expect.poll(() => mirror.requests.map(({ path }) => path)).toContain("/hum/model.onnx");
  await send(page, "/say hello there, this is long enough to be seen while it is being said");
  await expect(speech("speaking")).toBeAttached();
  await expect(speech("silent")).toBeAttached();
  await expect(page.getByText("Parley speaks with its embedded voice")).toHaveCount(0);
  await expect(replies(page)).toHaveCount(0);
});

test("a voice over which the native code ends its process takes nothing down: it is named, and another one speaks", async ({
  startWithModel,
  soundEnv,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-deadly-"));
  for (const [name, content] of Object.entries(deadlyVoice())) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const { page } = await startWithModel({
    env: soundEnv,
    settings: { "voice.voice": `folder:${folder}` },
  });
  await send(page, "/say hello there");
  await expect(page.getByTestId("note").first()).toContainText(
    `Parley speaks with its embedded voice: the voice “folder:${folder}” crashed twice`,
  );
  await expect(page.locator('[data-testid="speech-state"][data-state="speaking"]')).toBeAttached();
  await shots(page, "deadly-voice");
});

test("a download that fails says why, and can be tried again", async ({ startWithModel, mirror }) => {
  const forged = Buffer.from(weights);
  forged[forged.length - 1] = 0;
  mirror.answers.set("/loud/model.onnx", [whole(forged), whole(weights)]);
  const { page } = await startWithModel(mirror.options);
  await click(page, "recogniser", /Get better/);
  await expect(offer(page, "recogniser")).toContainText("model.onnx arrived damaged (its checksum is wrong)");
  await shots(page, "better-speech-failed");
  await click(page, "recogniser", /Get better/);
  await expect(offer(page, "recogniser")).toHaveCount(0);
});
