import { expect, test } from "vitest";
import { type FenceChild, FenceProcess } from "../../../../electron/fence/process/fence-process.ts";
import type { FenceRequest } from "../../../../electron/fence/process/protocol.ts";

/** Answers when the test says so. */
class FakeChild implements FenceChild {
  readonly sent: FenceRequest[] = [];
  answer: (message: unknown) => void = () => {};
  send(message: FenceRequest): void {
    this.sent.push(message);
  }
  onMessage(listener: (message: unknown) => void): void {
    this.answer = listener;
  }
  #exit: () => void = () => {};
  onExit(listener: () => void): void {
    this.#exit = listener;
  }
  kill(): void {
    this.#exit();
  }
}

const start = {
  type: "start" as const,
  bwrapPath: null,
  socatPath: null,
  tiedSocatPath: null,
  seccompPath: null,
  javaAgentPath: null,
  blocksSockets: true,
  deniedAddresses: [],
  proxy: null,
};
const bounds = { pid: 1, maxProcesses: 1, maxMemory: 1, minFreeDisk: 1, disks: [], folder: "/w", held: [] };

// Bug: the command was seen to end before the message came that says why it was ended.
test("why a command was ended is heard though the command is over already", async () => {
  const child = new FakeChild();
  const fence = new FenceProcess(child, start, async () => ({ allowed: false, why: "" }));
  const why: string[] = [];
  const watch = fence.watch(bounds, (one) => why.push(one));
  const over = fence.ended("c1", watch);
  child.answer({ type: "beyond", id: watch, why: "it filled the disk" });
  child.answer({ type: "over", id: watch, lines: ["a line"] });
  expect(await over).toEqual(["a line"]);
  expect(why).toEqual(["it filled the disk"]);
  // Another watch could have its number; nothing is heard of this one any more.
  child.answer({ type: "beyond", id: watch, why: "late" });
  expect(why).toHaveLength(1);
});

// Bug: such a message ended Parley.
test("a fence process that sends an invalid message is killed, and pending calls fail", async () => {
  const child = new FakeChild();
  const fence = new FenceProcess(child, start, async () => ({ allowed: false, why: "" }));
  child.answer({ type: "ready" });
  const wrapped = fence.wrap({ commandId: "c1" } as Parameters<FenceProcess["wrap"]>[0]);
  child.answer({ type: "nonsense" });
  await expect(wrapped).rejects.toThrow("The process of the fence ended.");
  expect(fence.isGone).toBe(true);
});
