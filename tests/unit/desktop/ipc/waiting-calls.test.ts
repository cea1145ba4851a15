import { expect, test, vi } from "vitest";
import { takeCalls } from "../../../../electron/desktop/ipc/waiting-calls.ts";

const electron = vi.hoisted(() => ({
  handler: null as ((...args: unknown[]) => Promise<unknown>) | null,
  effects: [] as unknown[][],
}));
vi.mock("electron", async () => (await import("../../../fakes/electron.ts")).fakeElectron(electron));

const ask = (...args: unknown[]): Promise<unknown> => {
  if (!electron.handler) throw new Error("Nothing takes calls.");
  return electron.handler({}, ...args);
};

test("what a page asks before there is anybody to answer is answered later, in its order", async () => {
  const answerCalls = takeCalls();
  const asked: unknown[] = [];
  const early = [ask("app.info", 1), ask("session.list", 2)];
  answerCalls(async (_event, args) => {
    asked.push(args[0]);
    return args[1];
  });
  expect(await Promise.all(early)).toEqual([1, 2]);
  expect(asked).toEqual(["app.info", "session.list"]);
  expect(await ask("app.info", 3)).toBe(3);
});
