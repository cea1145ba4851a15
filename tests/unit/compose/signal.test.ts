import { expect, it } from "vitest";
import { Signal } from "../../../electron/compose/signal.ts";

// Bug: a reply that could not be spoken was never told to the others that hear the voice's events.
it("what one listener cannot take is heard by those after it, and is told to who tells", () => {
  const signal = new Signal<[string]>();
  const heard: string[] = [];
  signal.on(() => {
    throw new Error("too much");
  });
  signal.on((news) => heard.push(news));
  expect(() => signal.tell("a")).toThrow("too much");
  expect(heard).toEqual(["a"]);
});
