import { once } from "node:events";
import { expect, test } from "vitest";
import type { FenceHost } from "../../../../electron/agent/ports/ports.ts";
import { AskedHosts } from "../../../../electron/fence/network/hosts.ts";

const host: FenceHost = { host: "a.example.com", port: 443 };

/** A command whose card nobody answers; it counts those that wait. */
function command() {
  const own = {
    cards: 0,
    waits: false,
    onWait: (waits: boolean) => {
      own.waits = waits;
    },
    askHost: async (_: FenceHost, ended: AbortSignal): Promise<boolean> => {
      own.cards++;
      await once(ended, "abort");
      own.cards--;
      throw ended.reason;
    },
  };
  return own;
}

test("a card is taken back when its command ends, and asked again by the next one", async () => {
  const hosts = new AskedHosts(() => null);
  const first = command();
  const running = hosts.begin(first);
  const asked = hosts.ask(host);
  expect(first.cards).toBe(1);
  running.end();
  await expect(asked).rejects.toThrow("has ended");
  expect(first.cards).toBe(0);

  const next = { ...command(), askHost: async () => true };
  hosts.begin(next);
  expect(await hosts.ask(host)).toEqual({ allowed: true, why: "" });
});

test("while another command runs it is asked for that one", async () => {
  const hosts = new AskedHosts(() => null);
  const other = {
    ...command(),
    askHost: async () => true,
  };
  hosts.begin(other);
  const first = command();
  const running = hosts.begin(first);
  const asked = hosts.ask(host);
  running.end();
  expect(await asked).toEqual({ allowed: true, why: "" });
});

test("what comes when no command runs any more is refused, and remembered against nobody", async () => {
  const hosts = new AskedHosts(() => null);
  expect((await hosts.ask(host)).allowed).toBe(false);
  hosts.begin({ askHost: async () => true });
  expect((await hosts.ask(host)).allowed).toBe(true);
});
