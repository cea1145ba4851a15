import { expect, test, vi } from "vitest";
import { type Updater, Updates, updateCommand } from "../../../electron/desktop/update/updates.ts";

/** electron-updater as far as it is used: what it would fetch and install is somebody else's. */
function makeUpdates({
  found = "1.1.0",
  goesOn = () => null as string | null,
  hasSystem = false,
  relaunch = null as (() => void) | null,
} = {}) {
  const heard = new Map<string, (value: never) => void>();
  let takeOver = () => {};
  const system = { on: (_: "update-downloaded", listener: () => void) => (takeOver = listener) };
  const updater: Updater = {
    autoDownload: false,
    autoInstallOnAppQuit: true,
    autoRunAppAfterInstall: true,
    logger: null,
    on: (event: string, listener: (value: never) => void) => heard.set(event, listener),
    checkForUpdates: vi.fn(async () => ({
      isUpdateAvailable: found !== "1.0.0",
      updateInfo: { version: found },
    })),
    quitAndInstall: vi.fn(),
  };
  const onReady = vi.fn();
  const load = vi.fn(async () => updater);
  const restart = { system: hasSystem ? system : null, relaunch };
  const updates = new Updates({
    ...{ load, restart, version: "1.0.0", isWanted: () => true, goesOn, onReady, log: () => {} },
  });
  const fail = (why: string) => heard.get("error")?.(new Error(why) as never);
  const fetched = (version: string) => heard.get("update-downloaded")?.({ version } as never);
  const command = updateCommand(updates);
  const say = async (...words: string[]) => (await command.run(words, { conversationId: "c" })).output;
  return { updates, updater, load, onReady, fetched, takeOver: () => takeOver(), fail, say };
}

test("a package without an address looks nowhere, and says so", async () => {
  const updates = new Updates({
    ...{
      load: null,
      restart: { system: null, relaunch: null },
      version: "1.0.0",
      isWanted: () => true,
      goesOn: () => null,
    },
    ...{ onReady: () => {}, log: () => {} },
  });
  updates.start()();
  expect((await updates.look()).output).toContain("made without an update address");
  expect(await updates.install()).toMatchObject({ isError: true });
});

test("the newest one says so, and loads nothing before it is asked", async () => {
  const { say, load } = makeUpdates({ found: "1.0.0" });
  expect(load).not.toHaveBeenCalled();
  expect(await say()).toBe("Parley 1.0.0 is the newest version.");
  expect(await say("install")).toContain("No newer version was downloaded");
});

test("a newer one is fetched and told of, and installed only when the user says so", async () => {
  const { say, updates, updater, onReady, fetched } = makeUpdates();
  expect(await say()).toContain("Parley 1.1.0 is being downloaded");
  expect(updater).toMatchObject({ autoDownload: true, autoInstallOnAppQuit: false });
  fetched("1.1.0");
  expect(onReady).toHaveBeenCalledTimes(1);
  expect(updates.ready).toBe("1.1.0");
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
  expect(await say()).toContain("Parley 1.1.0 is ready");
  expect(await say("install")).toContain("is being installed");
  expect(updater.quitAndInstall).toHaveBeenCalledWith(false, true);
});

// Bug: it was said to be installed, and Parley was opened again as if by the words of its first start.
test("a package that could not be installed is told; one that was opens Parley again", async () => {
  const relaunch = vi.fn();
  const { say, updater, fetched, fail } = makeUpdates({ relaunch });
  await say();
  fetched("1.1.0");
  expect(updater.autoRunAppAfterInstall).toBe(false);
  vi.mocked(updater.quitAndInstall).mockImplementationOnce(() =>
    fail("Command pkexec exited with code 126\n…"),
  );
  expect(await say("install")).toBe(
    "Parley 1.1.0 was not installed: Command pkexec exited with code 126. `/update install` tries again.",
  );
  expect(relaunch).not.toHaveBeenCalled();
  expect(await say("install")).toContain("is being installed");
  expect(relaunch).toHaveBeenCalledTimes(1);
});

// Bug: on macOS it began to be fetched once more at the command, and Parley ended whenever that was done.
test("where the system installs it when Parley ends, it is ready once the system has taken it over", async () => {
  const { say, updates, updater, onReady, fetched, takeOver } = makeUpdates({ hasSystem: true });
  await say();
  expect(updater).toMatchObject({ autoInstallOnAppQuit: true, autoRunAppAfterInstall: true });
  fetched("1.1.0");
  expect(updates.ready).toBeNull();
  expect(await say("install")).toContain("No newer version was downloaded");
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
  takeOver();
  expect(onReady).toHaveBeenCalledTimes(1);
  expect(await say("install")).toBe("Parley 1.1.0 is being installed.");
  expect(updater.quitAndInstall).toHaveBeenCalledTimes(1);
});

// Bug: it was said to be installed.
test("a package that the system refuses is told, and fetched again when the user asks", async () => {
  const { say, updates, fetched, fail, takeOver } = makeUpdates({ hasSystem: true });
  await say();
  fetched("1.1.0");
  fail("Code signature did not pass validation.");
  expect(updates.ready).toBeNull();
  expect(await say()).toBe(
    "Parley 1.1.0 is being downloaded again: the system did not take it (Code signature did not pass validation). Parley tells you when it is ready.",
  );
  fetched("1.1.0");
  takeOver();
  expect(await say("install")).toBe("Parley 1.1.0 is being installed.");
});

test("while something goes on nothing is restarted; afterwards it is", async () => {
  let reason: string | null = "“Trip” is at work.";
  const { say, updater, fetched } = makeUpdates({ goesOn: () => reason });
  await say();
  fetched("1.1.0");
  expect(await say("install")).toBe("“Trip” is at work. Parley was not restarted.");
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
  reason = null;
  await say("install");
  expect(updater.quitAndInstall).toHaveBeenCalledTimes(1);
});

test("a back-up that is being made is not cut off; when it is done, or failed, nothing holds the restart", async () => {
  const { say, updates, updater, fetched } = makeUpdates();
  await say();
  fetched("1.1.0");
  let end: (error?: Error) => void = () => {};
  const work = () => new Promise<void>((done, fail) => (end = (error) => (error ? fail(error) : done())));
  for (const error of [undefined, new Error("the disk is full")]) {
    const made = updates.during("A back-up is being made.", work);
    expect(await say("install")).toBe("A back-up is being made. Parley was not restarted.");
    end(error);
    await made.catch(() => {});
  }
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
  await say("install");
  expect(updater.quitAndInstall).toHaveBeenCalledTimes(1);
});

test("an address that does not answer is said in words, and asked again", async () => {
  const { updates, updater } = makeUpdates();
  vi.mocked(updater.checkForUpdates).mockRejectedValueOnce(new Error("net::ERR_CONNECTION_REFUSED\nat …"));
  expect(await updates.look()).toEqual({
    output: "Could not find out whether there is a newer version: net::ERR_CONNECTION_REFUSED",
    isError: true,
  });
  expect((await updates.look()).isError).toBeUndefined();
});

test("it looks a minute after the start and then daily, only while that is wanted", async () => {
  vi.useFakeTimers();
  try {
    const { updates, updater } = makeUpdates({ found: "1.0.0" });
    const end = updates.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(2);
    end();
    await vi.advanceTimersByTimeAsync(48 * 3_600_000);
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});
