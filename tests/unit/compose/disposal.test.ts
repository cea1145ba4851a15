import { expect, test } from "vitest";
import { Disposal } from "../../../electron/compose/disposal.ts";

function recorded() {
  const done: string[] = [];
  const faults: unknown[] = [];
  const later = (name: string) => async () => {
    done.push(`${name} begins`);
    await Promise.resolve();
    done.push(`${name} ends`);
  };
  return { done, faults, later, disposal: new Disposal((error) => faults.push(error)) };
}

test("what was made last is ended first, each when the one before it has ended, and once", async () => {
  const { done, later, disposal } = recorded();
  disposal.defer(later("store"));
  disposal.defer(later("conversations"));
  await disposal.dispose();
  await disposal.dispose();
  expect(done).toEqual(["conversations begins", "conversations ends", "store begins", "store ends"]);
});

test("a group has its place in the order, and ends all at once, also what joined it late", async () => {
  const { done, later, disposal } = recorded();
  disposal.defer(later("store"));
  const group = disposal.together();
  group.defer(later("folders"));
  disposal.defer(later("conversations"));
  group.defer(later("servers"));
  await disposal.dispose();
  expect(done.slice(2, 4).toSorted()).toEqual(["folders begins", "servers begins"]);
  expect(done[0]).toBe("conversations begins");
  expect(done.at(-1)).toBe("store ends");
});

test("what fails is reported and keeps nothing else from its end", async () => {
  const { done, faults, later, disposal } = recorded();
  disposal.defer(later("store"));
  disposal.defer(() => {
    throw new Error("It hangs.");
  });
  await disposal.dispose();
  expect(done.at(-1)).toBe("store ends");
  expect(faults).toEqual([new Error("It hangs.")]);
});
