import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveSeed } from "../../fakes/stt/seed-http-server.ts";
import { programPath } from "../../fixtures/built-programs.ts";
import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test, voiceState } from "../support/test.ts";

const said = ["what is the time", "and who are you"];
/** Two stretches of speech. */
const microphone = () =>
  writeWav(silence(500), clipSamples("librivox_0880"), silence(1000), clipSamples("librivox_0930"));

/** As people would: listen, speak, stop. */
for (const transport of ["standard input and output", "HTTP"] as const) {
  test(`a server with no more than three tools hears over ${transport}: its words become prompts, those at the end after the stop`, async ({
    startWithModel,
  }) => {
    const wav = microphone();
    const http = transport === "HTTP" ? await serveSeed(wav, said) : null;
    const program = {
      command: process.execPath,
      args: [programPath("seed-stt-server"), wav, ...said],
    };
    const server = http ? { type: "http", url: http.url } : program;
    const { page } = await startWithModel({
      settings: { mcpServers: { seed: server }, "voice.server": "seed", "voice.speak": "never" },
    });
    const prompts = page.getByTestId("message-user");
    await page.getByTestId("mic").click();
    await expect(page.getByTestId("speech-leaves")).toContainText("Sent to seed");
    await expect(prompts).toContainText("what is the time");
    await expect(voiceState(page, "listening")).toBeAttached();
    await expect(replies(page)).toHaveCount(1);
    await shots(page, "seed-server");
    await send(page, "/voice stop");
    await expect(voiceState(page, "off")).toBeAttached();
    await expect(prompts).toHaveCount(2);
    await expect(prompts.last()).toContainText("and who are you");
    await expect(replies(page)).toHaveCount(2);
    // The basic recogniser's worth is nobody's business here: another one hears.
    await expect(page.getByTestId("offer-recogniser")).toHaveCount(0);
    await http?.close();
  });
}

// Bug: voice was dead until Parley was started again, whatever was pressed.
test("a server that was given up is started again by Talk, and hears", async ({ startWithModel }) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-seed-"));
  const broken = join(folder, "broken");
  writeFileSync(broken, "");
  const program = [process.execPath, programPath("seed-stt-server"), microphone(), ...said];
  const server = { command: "sh", args: ["-c", 'test ! -e "$0" && exec "$@"', broken, ...program] };
  const { page } = await startWithModel({
    settings: { mcpServers: { seed: server }, "voice.server": "seed", "voice.speak": "never" },
  });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "failed")).toBeAttached();
  rmSync(folder, { recursive: true });
  await page.getByTestId("mic").click();
  await expect(page.getByTestId("message-user")).toContainText("what is the time");
  await send(page, "/voice stop");
  await expect(voiceState(page, "off")).toBeAttached();
});
