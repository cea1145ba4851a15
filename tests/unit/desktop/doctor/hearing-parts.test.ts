import { expect, it, vi } from "vitest";
import { OwnHearing } from "../../../../electron/desktop/doctor/hearing-parts.ts";

/** Ends the newest server, as it does by itself when nothing was asked of it. */
const server = vi.hoisted(() => ({ started: 0, end: () => {} }));
vi.mock("electron", () => ({ net: {}, protocol: {} }));
vi.mock("../../../../electron/desktop/audio/stt-process.ts", () => ({
  SttProcess: class {
    connect = async () => ({});
    close = async () => {};
  },
}));
vi.mock("../../../../electron/voice/stt/stt-client.ts", () => ({
  SttClient: {
    connect: async () => {
      server.started += 1;
      const closed = new Promise<void>((resolve) => {
        server.end = resolve;
      });
      return { closed };
    },
  },
}));

it("a check finds a server that runs, also after the one before it has ended by itself", async () => {
  const hearing = new OwnHearing({ preload: "preload.js", entry: "stt.js", env: {}, onLog: () => {} });
  const first = await hearing.parts();
  expect((await hearing.parts()).client).toBe(first.client);
  server.end();
  await vi.waitFor(async () => expect((await hearing.parts()).client).not.toBe(first.client));
  expect(server.started).toBe(2);
  await hearing.close();
});
