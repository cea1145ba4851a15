import { expect, test } from "vitest";
import type { SideRequest, ToolContext } from "../../../../electron/agent/ports/ports.ts";
import { PendingHosts } from "../../../../electron/mcp/connection/pending-hosts.ts";
import { callContext } from "../../../integration/mcp/mcp-rig.ts";

const host = { host: "api.example", port: 443 };
const name = "api.example:443";

function open() {
  const kept: string[] = [];
  const hosts = new PendingHosts({
    name: "notes",
    isKnown: (one) => kept.includes(one),
    keep: (one) => void kept.push(one),
    onChange: () => {},
  });
  /** A call whose card waits until it is told. */
  const cards: { card: SideRequest; answer(allowed: boolean): void; closed: Promise<unknown> }[] = [];
  const call = (): ToolContext =>
    callContext({
      approve: (card, elsewhere = new Promise(() => {})) =>
        new Promise((resolve) => {
          cards.push({ card, answer: (allowed) => resolve({ allowed }), closed: elsewhere });
          void elsewhere.then(resolve);
        }),
    });
  return { hosts, kept, cards, call };
}

test("two that wait for one host are one card, and one answer", async () => {
  const { hosts, kept, cards, call } = open();
  hosts.openCall(call());
  const both = [hosts.ask(host), hosts.ask(host)];
  expect(cards.map(({ card }) => card.wish.what)).toEqual(["to connect to api.example"]);
  cards[0]?.answer(true);
  expect(await Promise.all(both)).toEqual([true, true]);
  expect([kept, hosts.waiting]).toEqual([[name], []]);
  expect(await hosts.ask(host)).toBe(true);
});

test("what waits already is asked for in the call that comes, and in another when that ends; a call's end is no answer", async () => {
  const { hosts, cards, call } = open();
  const asked = hosts.ask(host);
  const end = hosts.openCall(call());
  expect(cards).toHaveLength(1);
  end();
  expect(await cards[0]?.closed).toMatchObject({ allowed: false, reason: expect.stringContaining("ended") });
  expect(hosts.waiting).toEqual([name]);
  hosts.openCall(call());
  expect(cards).toHaveLength(2);
  cards[1]?.answer(false);
  expect([await asked, hosts.waiting]).toEqual([false, []]);
});

test("the end of the server takes its cards away", async () => {
  const { hosts, kept, cards, call } = open();
  hosts.openCall(call());
  const asked = hosts.ask(host);
  hosts.clear();
  expect([await asked, kept, hosts.waiting]).toEqual([false, [], []]);
  expect(await cards[0]?.closed).toMatchObject({ allowed: false });
});
