import type { Page } from "playwright/test";
import { type LiveSttServer, serveLiveStt } from "../../fakes/stt/live-stt-server.ts";
import { test as sound } from "./machine/sound.ts";
import { expect, voiceState } from "./test.ts";

/** With a speech server that hears what the test says. */
export const test = sound.extend<{ heard: LiveSttServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  heard: async ({}, use) => {
    const server = await serveLiveStt();
    await use(server);
    await server.close();
  },
});

/** Settings that have Parley listen to it, and say nothing aloud. */
export const hearing = ({ url }: LiveSttServer) => ({
  mcpServers: { live: { type: "http", url } },
  ...{ "voice.server": "live", "voice.speak": "never" },
});

export async function listen(page: Page): Promise<void> {
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeAttached();
}
