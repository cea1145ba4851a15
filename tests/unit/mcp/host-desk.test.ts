import { expect, test } from "vitest";
import type { AsideRequest, ToolContext } from "../../../electron/agent/ports/ports.ts";
import { HostDesk } from "../../../electron/mcp/connection/host-desk.ts";
import { callContext } from "../../integration/mcp/mcp-rig.ts";

const host = { host: "api.example", port: 443 };
const name = "api.example:443";

function open() {
  const kept: string[] = [];
  const desk = new HostDesk({
    name: "notes",
    isKnown: (one) => kept.includes(one),
    keep: (one) => void kept.push(one),
    onChange: () => {},
  });
  /** A call whose card waits until it is told. */
  const cards: { card: AsideRequest; answer(allowed: boolean): void; closed: Promise<unknown> }[] = [];
  const call = (): ToolContext =>
    callContext({
      approve: (card, elsewhere = new Promise(() => {})) =>
        new Promise((resolve) => {
          cards.push({ card, answer: (allowed) => resolve({ allowed }), closed: elsewhere });
          void elsewhere.then(resolve);
        }),
    });
  return { desk, kept, cards, call };
}

test("two that wait for one host are one card, and one answer", async () => {
  const { desk, kept, cards, call } = open();
  desk.openCall(call());
  const both = [desk.ask(host), desk.ask(host)];
  expect(cards.map(({ card }) => card.wish.what)).toEqual(["to connect to api.example"]);
  cards[0]?.answer(true);
  expect(await Promise.all(both)).toEqual([true, true]);
  expect([kept, desk.waiting]).toEqual([[name], []]);
  expect(await desk.ask(host)).toBe(true);
});

test("what waits already is asked for in the call that comes, and in another when that ends; a call's end is no answer", async () => {
  const { desk, cards, call } = open();
  const asked = desk.ask(host);
  const end = desk.openCall(call());
  expect(cards).toHaveLength(1);
  end();
  expect(await cards[0]?.closed).toMatchObject({ allowed: false, reason: expect.stringContaining("ended") });
  expect(desk.waiting).toEqual([name]);
  desk.openCall(call());
  expect(cards).toHaveLength(2);
  cards[1]?.answer(false);
  expect([await asked, desk.waiting]).toEqual([false, []]);
});

test("the end of the server takes its cards away", async () => {
  const { desk, kept, cards, call } = open();
  desk.openCall(call());
  const asked = desk.ask(host);
  desk.clear();
  expect([await asked, kept, desk.waiting]).toEqual([false, [], []]);
  expect(await cards[0]?.closed).toMatchObject({ allowed: false });
});
