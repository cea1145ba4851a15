import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clipSamples, fakeMicrophone, silence, writeWav } from "../support/machine/audio.ts";
import { expect, replies, send, test, voiceState } from "../support/test.ts";

const clip = "librivox_0880";

/** Some of the clip as it lies in memory: a tenth of a second from its middle. */
const heard = Buffer.from(
  Int16Array.from(clipSamples(clip).slice(20_000, 21_600), (sample) => Math.round(sample * 0x8000)).buffer,
);

/** Every file that is written below these folders while `work` goes on, by name, also what is there for a moment only. */
async function filesWritten(folders: string[], work: () => Promise<void>) {
  const names = new Set<string>();
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, name) => names.add(String(name))).on("error", ifNotGone),
  );
  const before = new Set(folders.flatMap(filesBelow).map(stampOf));
  await work();
  for (const watcher of watchers) watcher.close();
  const left = folders.flatMap(filesBelow).filter((path) => !before.has(stampOf(path)));
  return { names: [...names], left };
}

/** What differs once a file is written; of one that is gone by now, its name. */
function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return `${path} ${stats?.ino} ${stats?.mtimeNs} ${stats?.size}`;
}

/** A folder that another process removed while it was being read. */
function ifNotGone(error: Error): void {
  if (!("code" in error && error.code === "ENOENT")) throw error;
}

function filesBelow(folder: string): string[] {
  const entries = () => {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      ifNotGone(error as Error);
      return [];
    }
  };
  return entries().flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

const isSoundName = (name: string) => /\.(wav|pcm|raw|ogg|opus|webm|mp3|flac)$/i.test(name);
const contentOf = (path: string) => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0));
const isSound = (path: string) => contentOf(path).subarray(0, 16).includes("WAVEfmt ");
const holdsWhatWasHeard = (path: string) => contentOf(path).includes(heard);

test("what is heard is in no file: its samples are nowhere on the disk", async ({ start }) => {
  const temporary = mkdtempSync(join(tmpdir(), "parley-tmp-"));
  const { page, home } = await start({
    // Parley's own voice makes sound files of its own words.
    settings: { "voice.speak": "never" },
    env: { TMPDIR: temporary },
  });
  const written = await filesWritten([home, temporary], async () => {
    await send(page, `/voice start file ${writeWav(clipSamples(clip), silence(1500))} fast`);
    await expect(replies(page)).toHaveCount(1);
    await expect(voiceState(page, "off")).toBeAttached();
  });
  // The words are kept, so files were written, and looked at.
  expect(written.left.length).toBeGreaterThan(0);
  expect(written.names.filter(isSoundName)).toEqual([]);
  expect([home, temporary].flatMap(filesBelow).filter(holdsWhatWasHeard)).toEqual([]);
  // The search would have found it.
  writeFileSync(join(home, "somewhere.bin"), Buffer.concat([Buffer.alloc(999), heard]));
  expect(filesBelow(home).filter(holdsWhatWasHeard)).toHaveLength(1);
});

for (const isRecorded of [false, true]) {
  test(`a microphone is ${isRecorded ? "kept in a sound file where" : "in no sound file unless"} recording is on`, async ({
    start,
  }) => {
    const temporary = mkdtempSync(join(tmpdir(), "parley-tmp-"));
    const { page, home } = await start({
      settings: { "voice.record": isRecorded, "voice.speak": "never" },
      env: { TMPDIR: temporary },
      switches: fakeMicrophone(writeWav(silence(3000), clipSamples(clip), silence(2000))),
    });
    const written = await filesWritten([home, temporary], async () => {
      await page.getByTestId("mic").click();
      await expect(replies(page)).toHaveCount(1);
      await send(page, "/voice stop");
      await expect(voiceState(page, "off")).toBeAttached();
    });
    // A folder that is new may be watched too late to see what is put into it first.
    if (!isRecorded) expect(written.names.filter(isSoundName)).toEqual([]);
    expect(written.left.filter(isSound)).toHaveLength(isRecorded ? 1 : 0);
  });
}
