import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxLiveSessions } from "../../../electron/stt-server/session/sessions.ts";
import { sttTool } from "../../../shared/voice/stt.ts";
import { makeWav } from "../../fixtures/audio/make-wav.ts";
import type { SttClient } from "./stt-client.ts";
import { connectStdio } from "./stt-program.ts";

const clip = resolve(import.meta.dirname, "../../fixtures/audio/librivox_0880.wav");

let stt: SttClient;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-stt-bounds-"));
  stt = await connectStdio();
});
afterAll(async () => {
  await stt.close();
  await rm(folder, { recursive: true });
});

const start = (args: Record<string, unknown>) => stt.call(sttTool.startSession, { source: "file", ...args });

// Each of them was waited for without an end: a pipe for its writer, a folder below /proc for its parent.
describe.runIf(process.platform === "linux")("a path that is no file of sound", () => {
  it("that is a pipe is refused, however often, and others are served meanwhile", async () => {
    const pipe = join(folder, "pipe.wav");
    execFileSync("mkfifo", [pipe]);
    const tries = Array.from({ length: 5 }, () =>
      start({ path: pipe }).catch((error: Error) => error.message),
    );
    for (const words of await Promise.all(tries)) expect(words).toMatch(/is not an ordinary file/);
    await stt.stop(await stt.start({ source: "file", path: clip }));
  });

  it.each(["/dev/zero", "/dev/stdin", "/proc/self/status", "/proc/kmsg", "/sys/kernel/uevent_seqnum"])(
    "%s is refused",
    async (path) => {
      await expect(start({ path })).rejects.toThrow(/not an ordinary file|belongs to the system/);
    },
  );

  it("is refused through a link, too", async () => {
    const link = join(folder, "link.wav");
    await symlink("/proc/self/status", link);
    await expect(start({ path: link })).rejects.toThrow(/belongs to the system/);
  });

  it.each(["/proc/x", "/proc/self/x/y", "/sys/x", "/dev/x"])(
    "%s is no folder to record to",
    async (place) => {
      await expect(start({ path: clip, record_to: place })).rejects.toThrow(
        /recording cannot be written.*belongs to the system.*another folder/s,
      );
    },
  );

  it("and a file in the place of a folder is refused", async () => {
    await expect(start({ path: clip, record_to: join(clip, "x") })).rejects.toThrow(/recording cannot be/);
  });
});

it("a folder for recordings is made, with those above it", async () => {
  const record = join(folder, "a/b/c");
  await stt.stop(await stt.start({ source: "file", path: clip, record_to: record }));
  expect(await readdir(record)).toHaveLength(1);
});

it("starts at once count as those that listen do", async () => {
  const starts = Array.from({ length: maxLiveSessions + 4 }, () =>
    stt.start({ source: "file", path: clip, pace: "realtime" }).then(
      (id) => ({ id }),
      (error: Error) => ({ why: error.message }),
    ),
  );
  const results = await Promise.all(starts);
  const ids = results.flatMap((result) => ("id" in result ? [result.id] : []));
  const refused = results.flatMap((result) => ("why" in result ? [result.why] : []));
  expect(ids).toHaveLength(maxLiveSessions);
  for (const why of refused) expect(why).toMatch(/sessions are already listening.*stt_stop_session/);
  await Promise.all(ids.map((id) => stt.stop(id)));
  // A start that fails takes no place.
  await Promise.all(Array.from({ length: 9 }, () => start({ path: "/nowhere" }).catch(() => null)));
  await stt.stop(await stt.start({ source: "file", path: clip }));
});

it("a WAV file of nothing but empty chunks is left after a thousand of them", async () => {
  const path = join(folder, "chunks.wav");
  const chunk = Buffer.from("JUNK\0\0\0\0", "latin1");
  await writeFile(path, makeWav([0, 0], { before: Buffer.alloc(200_000 * chunk.length, chunk) }));
  await expect(start({ path })).rejects.toThrow(/more than 1000 chunks/);
});

it("may be confined to folders: nothing is read from, or written to, anywhere else", async () => {
  const inside = join(folder, "inside");
  await rm(inside, { recursive: true, force: true });
  const confined = await connectStdio({
    ...process.env,
    PARLEY_STT_FOLDERS: [inside, resolve(clip, "..")].join(delimiter),
  });
  try {
    const from = (args: Record<string, unknown>) => confined.start({ source: "file", ...args });
    await confined.stop(await from({ path: clip, record_to: join(inside, "new") }));
    expect(await readdir(join(inside, "new"))).toHaveLength(1);
    const outside = join(folder, "outside.wav");
    await writeFile(outside, makeWav([0, 0]));
    await symlink(outside, join(inside, "link.wav"));
    const refused = /PARLEY_STT_FOLDERS/;
    await expect(from({ path: outside })).rejects.toThrow(refused);
    await expect(from({ path: join(inside, "link.wav") })).rejects.toThrow(refused);
    await expect(from({ path: join(inside, "../outside.wav") })).rejects.toThrow(refused);
    // Not even whether it is there is told.
    await expect(from({ path: "/nowhere/a.wav" })).rejects.toThrow(refused);
    await expect(from({ path: clip, record_to: folder })).rejects.toThrow(refused);
  } finally {
    await confined.close();
  }
});
