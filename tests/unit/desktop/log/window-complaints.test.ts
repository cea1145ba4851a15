import { EventEmitter } from "node:events";
import { beforeEach, expect, test, vi } from "vitest";
import { WindowComplaints } from "../../../../electron/desktop/log/window-complaints.ts";

const app = vi.hoisted(() => ({
  on: vi.fn<(name: string, heard: (event: unknown, contents: object) => void) => void>(),
}));
vi.mock("electron", () => ({ app }));

let complaints: WindowComplaints;
beforeEach(() => {
  app.on.mockClear();
  complaints = new WindowComplaints();
});

function openWindow(url: string) {
  const contents = Object.assign(new EventEmitter(), { getURL: () => url });
  app.on.mock.lastCall?.[1]({}, contents);
  return (level: string, message: string) => contents.emit("console-message", { level, message });
}

// Bug: what the main window said while it opened, and there was no log yet, was lost.
test("what a window complains of is a line of the log, also from before there is one", () => {
  const say = openWindow("app://parley/main/index.html");
  say("error", "too early");
  const lines: string[] = [];
  complaints.tellTo({ error: (line) => void lines.push(line) });
  say("warning", "not bad enough");
  say("error", "x".repeat(5000));
  openWindow("app://parley/audio/index.html")("error", "has a line of its own");
  expect(lines).toEqual([
    "the window app://parley/main/index.html says: too early",
    `the window app://parley/main/index.html says: ${"x".repeat(2000)}`,
  ]);
});
