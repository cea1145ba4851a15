import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright/test";
import { someOf, whole } from "../../fakes/net/file-server.ts";
import { picks } from "../support/launch.ts";
import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { button, inState, openModels, panel, row, test, tokens, weights } from "../support/mirror.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, voiceState } from "../support/test.ts";

const doneBytes = (page: Page, name: string) => row(page, name).locator("progress").getAttribute("value");

/** Listens to a recording. @returns the prompt that was heard */
async function hear(page: Page): Promise<string> {
  const prompts = page.getByTestId("message-user");
  const count = await prompts.count();
  await send(page, `/voice start file ${writeWav(clipSamples("librivox_0870"), silence(1500))} fast`);
  await expect(prompts).toHaveCount(count + 1);
  await expect(replies(page)).toHaveCount(count + 1);
  await expect(voiceState(page, "off")).toBeAttached();
  return (await prompts.last().textContent()) ?? "";
}

test("models are listed with language, size and licence, and nothing is fetched before it is asked for", async ({
  start,
  mirror,
}) => {
  const { page } = await start(mirror.options);
  await openModels(page);
  await expect(page.getByTestId("model-row")).toHaveCount(4);
  await expect(row(page, "Loudness")).toContainText("en, de · 4 MB · CC-BY-4.0");
  await inState(page, "Loudness", "available");
  expect(mirror.requests).toEqual([]);
});

test("a download shows how far it is, is paused, goes on where it stopped, and what was downloaded hears", async ({
  startWithModel,
  mirror,
}) => {
  mirror.answers.set("/loud/model.onnx", [someOf(weights, 2_600_000), whole(weights)]);
  const { page } = await startWithModel(mirror.options);
  expect(await hear(page)).not.toMatch(/loud/);
  await openModels(page);
  await button(page, "Download Loudness").click();
  await expect.poll(() => doneBytes(page, "Loudness")).toBe("2600000");
  await expect(row(page, "Loudness")).toContainText("3 MB of 4 MB");
  await shots(page, "downloading");
  await button(page, "Pause Loudness").click();
  await inState(page, "Loudness", "paused");
  expect(await doneBytes(page, "Loudness")).toBe("2600000");
  await shots(page, "paused");
  await button(page, "Resume Loudness").click();
  await inState(page, "Loudness", "installed");
  expect(mirror.requests).toEqual([
    { path: "/loud/model.onnx", range: undefined },
    { path: "/loud/model.onnx", range: "bytes=2600000-" },
    { path: "/loud/tokens.txt", range: undefined },
  ]);
  expect(readdirSync(mirror.models)).toEqual(["loud"]);
  expect(readFileSync(join(mirror.models, "loud", "model.onnx")).equals(weights)).toBe(true);
  await row(page, "Loudness").getByRole("button", { name: "Use" }).click();
  await expect(row(page, "Loudness")).toContainText("in use");
  expect(await hear(page)).toMatch(/loud( loud)*/);
  await shots(page, "installed");
});

test("a download that kill -9 ended is there on the next start, goes on or is discarded", async ({
  start,
  mirror,
}) => {
  mirror.answers.set("/loud/model.onnx", [someOf(weights, 1_300_000)]);
  const first = await start(mirror.options);
  await openModels(first.page);
  await button(first.page, "Download Loudness").click();
  await expect.poll(() => doneBytes(first.page, "Loudness")).toBe("1300000");
  await first.crash();
  const { page } = await start({ ...mirror.options, home: first.home });
  await openModels(page);
  await inState(page, "Loudness", "paused");
  expect(await doneBytes(page, "Loudness")).toBe("1300000");
  await button(page, "Resume Loudness").click();
  await expect.poll(() => doneBytes(page, "Loudness")).toBe("2600000");
  expect(mirror.requests.map(({ range }) => range)).toEqual([undefined, "bytes=1300000-"]);
  await button(page, "Pause Loudness").click();
  await button(page, "Discard Loudness").click();
  await inState(page, "Loudness", "available");
  expect(readdirSync(mirror.models)).toEqual([]);
});

test("what is not what the catalogue says is thrown away, which is said, and can be had again", async ({
  start,
  mirror,
}) => {
  const forged = Buffer.from(weights);
  forged[forged.length - 1] = 0;
  mirror.answers.set("/loud/model.onnx", [whole(forged), whole(weights)]);
  const { page } = await start(mirror.options);
  await openModels(page);
  await button(page, "Download Loudness").click();
  await inState(page, "Loudness", "failed");
  await expect(row(page, "Loudness")).toContainText(
    "model.onnx arrived damaged (its checksum is wrong) and was deleted.",
  );
  expect(filesBelow(mirror.models)).toEqual([]);
  await expect(button(page, "Discard Loudness")).toHaveCount(0);
  await shots(page, "forged");
  await button(page, "Try again Loudness").click();
  await inState(page, "Loudness", "installed");
});

test("a model that has moved, and a server that does not answer, are clear lines", async ({
  start,
  mirror,
}) => {
  mirror.answers.set("/loud/model.onnx", [(request) => request.socket.destroy()]);
  const { page } = await start(mirror.options);
  await openModels(page);
  await button(page, "Download Moved").click();
  await inState(page, "Moved", "failed");
  await expect(row(page, "Moved")).toContainText("/gone/model.onnx answers 404: the model has moved.");
  await button(page, "Download Loudness").click();
  await inState(page, "Loudness", "failed");
  await expect(row(page, "Loudness")).toContainText(
    /model\.onnx could not be downloaded from 127\.0\.0\.1:\d+/,
  );
  await expect(row(page, "Loudness")).toContainText("Try again: it goes on where it stopped.");
  expect(filesBelow(mirror.models)).toEqual([]);
  await shots(page, "unreachable");
});

test("a full disk is told: before a byte is asked for, or when it fills up meanwhile", async ({
  start,
  mirror,
}) => {
  // A file that takes no byte, as on a disk that has none left.
  const part = join(mirror.models, "loud.download", "content", "model.onnx.part");
  mkdirSync(dirname(part), { recursive: true });
  symlinkSync("/dev/full", part);
  const { page } = await start(mirror.options);
  await openModels(page);
  await button(page, "Download Vast").click();
  await expect(row(page, "Vast")).toContainText("There is no room on the disk for model.onnx");
  expect(mirror.requests).toEqual([]);
  await button(page, "Download Loudness").click();
  await expect(row(page, "Loudness")).toContainText("There is no room on the disk for model.onnx (4 MB)");
  expect(mirror.requests).toHaveLength(1);
});

test("a downloaded model is deleted when something else is used, and then it is gone", async ({
  startWithModel,
  mirror,
}) => {
  const { page } = await startWithModel(mirror.options);
  await openModels(page);
  await button(page, "Download Loudness").click();
  await inState(page, "Loudness", "installed");
  await row(page, "Loudness").getByRole("button", { name: "Use" }).click();
  await expect(button(page, "Delete Loudness")).toHaveCount(0);
  await page.getByTestId("models").locator("li").first().getByRole("button", { name: "Use" }).click();
  await button(page, "Delete Loudness").click();
  await button(page, "Delete Loudness").click();
  await inState(page, "Loudness", "available");
  expect(readdirSync(mirror.models)).toEqual([]);
  expect(await hear(page)).not.toMatch(/loud/);
});

test("a model in a folder of one's own hears, and nothing is downloaded", async ({
  startWithModel,
  mirror,
}) => {
  const { page, app, home } = await startWithModel(mirror.options);
  const own = join(home, "own-model");
  mkdirSync(own);
  writeFileSync(join(own, "model.onnx"), weights);
  writeFileSync(join(own, "tokens.txt"), tokens);
  await picks(app, own);
  await openModels(page);
  await button(page, "Use my own folder…").click();
  await expect(panel(page).getByTestId("models")).toContainText(own);
  expect(await hear(page)).toMatch(/loud( loud)*/);
  expect(mirror.requests).toEqual([]);
});

test("a catalogue that is wrong is named with what to do; listening goes on without it", async ({
  startWithModel,
  mirror,
}) => {
  const path = mirror.catalogue;
  writeFileSync(path, readFileSync(path, "utf8").replace(/"sha256":"\w+"/, '"sha256":"none"'));
  const { page } = await startWithModel(mirror.options);
  await openModels(page);
  await expect(page.getByText(`The catalogue of speech models ${path} cannot be used`)).toContainText(
    "0.files.0.sha256: 64 hexadecimal digits in lower case, or null. Correct it, or take PARLEY_SPEECH_CATALOGUE out of the environment",
  );
  await expect(page.getByTestId("model-row")).toHaveCount(0);
  await shots(page, "bad-catalogue");
  expect(await hear(page)).not.toBe("");
});

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [] : [entry.name],
  );
}
