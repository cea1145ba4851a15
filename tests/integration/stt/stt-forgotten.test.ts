import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import { SessionSupervisor } from "../../../electron/voice/stt/session-supervisor.ts";
import { SttClient } from "../../../electron/voice/stt/stt-client.ts";
import { serveSeed } from "../../fakes/stt/seed-http-server.ts";
import { createMcpRig, stateOf } from "../mcp/mcp-rig.ts";

const clip = resolve(import.meta.dirname, "../../fixtures/audio/librivox_0870.wav");

// Bug: a speech server over HTTP that had been restarted was never reached again.
test("a server over HTTP that was started anew is connected to again, and listens again", async () => {
  const server = await serveSeed(clip, ["before", "after"]);
  onTestFinished(() => server.close());
  const rig = createMcpRig({ servers: { ears: { url: server.url } } });
  onTestFinished(() => rig.close());
  await rig.manager.load();
  const supervisor = new SessionSupervisor({
    source: "microphone",
    connect: async () => {
      const { client, closed } = await rig.manager.connectionFor("ears", AbortSignal.timeout(10_000));
      return await SttClient.over(client, closed);
    },
    startArguments: () => ({ source: "microphone" }),
    clock: systemClock,
  });
  const events: string[] = [];
  void (async () => {
    for await (const { type } of supervisor) events.push(type);
  })();
  const flows = () => events.filter((type) => type === "audio_flows").length;
  await expect.poll(flows, { timeout: 10_000 }).toBe(1);
  server.forget();
  await expect.poll(flows, { timeout: 20_000 }).toBe(2);
  expect(stateOf(rig.manager, "ears")).toBe("ready");
  await supervisor.stop();
});
