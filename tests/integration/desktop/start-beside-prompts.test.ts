import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assertLockable, isLockHeld } from "../../../electron/desktop/launch/instance-lock.ts";
import type { LaunchRequest } from "../../../electron/desktop/launch/launch-request-shape.ts";
import type { PromptNews } from "../../../electron/desktop/launch/prompt-output.ts";
import { askRunning, promptSocket, servePrompts } from "../../../electron/desktop/launch/prompt-socket.ts";
import { startAfterPrompts } from "../../../electron/desktop/launch/start-after-prompts.ts";

/** Starts of Parley beside an instance that runs, by real sockets. */
let userData: string;
const ends: (() => unknown)[] = [];

beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), "parley-start-"));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  rmSync(userData, { recursive: true });
});

/** Listens at a path, as a process of its own would, which can end. */
async function listensAt(path: string, onSocket: (socket: Socket, server: Server) => void): Promise<Server> {
  const server = createServer((socket) => onSocket(socket, server));
  await new Promise<void>((done) => server.listen(path, done));
  ends.push(() => server.close());
  return server;
}

function socketPath(): string {
  const place = promptSocket(userData);
  if (!place?.folder) throw new Error("there is no place for a socket");
  mkdirSync(place.folder);
  chmodSync(place.folder, 0o700);
  return place.path;
}

const request = { text: "Hello", level: null, folder: null, reference: null, input: "" };
async function ask() {
  const news: PromptNews[] = [];
  const code = await askRunning(userData, request, (told) => news.push(told), new AbortController().signal);
  return { code, news };
}

test("where the app runs, a start leaves to it what was asked, and tells it once", async () => {
  const warn = (message: string) => expect.fail(message);
  ends.push(servePrompts(userData, { run: async () => 0, isApp: true, warn }).end);
  const told: LaunchRequest[] = [];
  const left = await startAfterPrompts(userData, { type: "quick" }, (asked) => told.push(asked) === 0);
  expect(left).toBeNull();
  // A second quick prompt would hide the first.
  expect(told).toEqual([]);
});

test.each<[LaunchRequest, LaunchRequest]>([
  [{ type: "open" }, { type: "open" }],
  [{ type: "background" }, { type: "background" }],
  [
    { type: "session", reference: "Trip" },
    { type: "session", reference: "Trip" },
  ],
  [{ type: "quick", text: "now" }, { type: "open" }],
  // No microphone opens when nobody expects it any more.
  [{ type: "listen" }, { type: "open" }],
])("where prompts alone run, %o begins when their process has ended, as %o", async (asked, begun) => {
  let isHeld = true;
  await listensAt(socketPath(), (socket, server) => {
    socket.once("data", () => {
      server.close();
      isHeld = false;
      socket.destroy();
    });
  });
  expect(await startAfterPrompts(userData, asked, () => !isHeld)).toEqual(begun);
});

test("where the app was started while prompts ran, it is told what waited for their end", async () => {
  const path = socketPath();
  const told: LaunchRequest[] = [];
  const prompts = await listensAt(path, (socket) => {
    socket.once("data", () => {
      prompts.close(() => {
        const warn = (message: string) => expect.fail(message);
        ends.push(servePrompts(userData, { run: async () => 0, isApp: true, warn }).end);
      });
      socket.destroy();
    });
  });
  const left = await startAfterPrompts(userData, { type: "open" }, (asked) => {
    told.push(asked);
    return false;
  });
  expect(left).toBeNull();
  expect(told.at(-1)).toEqual({ type: "open" });
});

// Bug: on a disk that cannot be written a start waited ten seconds, and ended with code 0, without a window or a word.
test("where the folder cannot be written, a start says so and what helps, instead of waiting for whoever runs", async () => {
  // In neither can anybody, root included, make an entry.
  const inTheWay = join(userData, "file");
  writeFileSync(inTheWay, "");
  for (const folder of ["/sys/parley", inTheWay]) {
    const asked: LaunchRequest[] = [];
    const start = startAfterPrompts(folder, { type: "open" }, (one) => asked.push(one) === 0);
    await expect(start).rejects.toThrow(
      new RegExp(
        `^Parley can't write to the folder of its own files, ${folder}\\. .* Then start Parley again\\.$`,
      ),
    );
    expect(asked).toHaveLength(1);
  }
  expect(() => assertLockable(userData)).not.toThrow();
  expect(readdirSync(userData)).toEqual(["file"]);
});

test("a prompt that had not come over may be asked elsewhere; one that had is not asked twice", async () => {
  const path = socketPath();
  const ending = await listensAt(path, (socket) => socket.destroy());
  expect(await ask()).toEqual({ code: null, news: [] });
  await new Promise((done) => ending.close(done));
  await listensAt(path, (socket) => socket.once("data", () => socket.end('{"type":"taken"}\n')));
  const said = "Parley ended before the answer was there.";
  expect(await ask()).toEqual({ code: 1, news: [{ type: "ended", code: 1, said }] });
});

test("whether an instance runs is seen without a word to it", async () => {
  expect(await isLockHeld(userData)).toBe(false);
  const path = join(userData, "of-chromium");
  // As Chromium leaves it.
  symlinkSync(path, join(userData, "SingletonSocket"));
  expect(await isLockHeld(userData)).toBe(false);
  const heard: string[] = [];
  const closed = new Promise<void>((done) => {
    void listensAt(path, (socket) => {
      socket.on("data", (chunk) => heard.push(String(chunk)));
      socket.on("close", () => done());
    }).then(async () => expect(await isLockHeld(userData)).toBe(true));
  });
  await closed;
  expect(heard).toEqual([]);
});
