import { expect, it } from "vitest";
import { Signal } from "../../../../renderer/state/signal.ts";

const heardBy = (signal: Signal<string>, isTaken: boolean) => {
  const heard: string[] = [];
  signal.subscribe((value) => {
    heard.push(value);
    return isTaken;
  });
  return heard;
};

it("tells all who listen, each time", () => {
  const signal = new Signal<string>();
  const first = heardBy(signal, true);
  const second = heardBy(signal, true);
  signal.emit("a");
  signal.emit("a");
  expect([first, second]).toEqual([
    ["a", "a"],
    ["a", "a"],
  ]);
});

it("is over when nobody listened", () => {
  const signal = new Signal<string>();
  signal.emit("early");
  expect(heardBy(signal, true)).toEqual([]);
});

it("that waits is for the first who can do something about it, once", () => {
  const signal = new Signal<string>({ waits: true });
  heardBy(signal, false);
  signal.emit("early");
  expect(heardBy(signal, false)).toEqual(["early"]);
  expect(heardBy(signal, true)).toEqual(["early"]);
  expect(heardBy(signal, true)).toEqual([]);
});
