import { beforeEach, expect, test, vi } from "vitest";
import { composeUpdates } from "../../../electron/compose/updates.ts";
import type { Updater } from "../../../electron/desktop/update/updates.ts";
import { defaultSettings } from "../../../shared/settings.ts";

const install = vi.fn();
const conversations = new Map<string, { isBusy: boolean; title: string }>();
const drafts = new Map<string, string>();
let listening: string | null;
let isDownloading: boolean;
beforeEach(() => {
  install.mockClear();
  conversations.clear();
  drafts.clear();
  listening = null;
  isDownloading = false;
});

/** What `/update install` answers with a newer version at hand. */
async function installed(...openIds: string[]): Promise<string> {
  let fetched = (_: { version: string }): void => {};
  const updater = {
    ...{ autoDownload: false, autoInstallOnAppQuit: false, autoRunAppAfterInstall: false, logger: null },
    on: (event: string, heard: never) => {
      if (event === "update-downloaded") fetched = heard;
    },
    checkForUpdates: async () => ({ isUpdateAvailable: true, updateInfo: { version: "1.1.0" } }),
    quitAndInstall: install,
  } satisfies Updater;
  const updates = composeUpdates({
    base: { settings: { current: () => defaultSettings }, log: { info: () => {} } },
    disposal: { defer: (end) => end() },
    agent: { conversations },
    storage: {
      store: { loadSession: (id) => (drafts.has(id) ? { draft: drafts.get(id) ?? "" } : undefined) },
    },
    voice: {
      voice: { status: () => ({ conversationId: listening }) },
      offers: {
        get isDownloading() {
          return isDownloading;
        },
      },
    },
    openIds: () => openIds,
    load: async () => updater,
    restart: { system: null, relaunch: null },
    version: "1.0.0",
    onReady: () => {},
  });
  await updates.look();
  fetched({ version: "1.1.0" });
  return (await updates.install()).output;
}

const isInstalled = "Parley 1.1.0 is being installed.";

test("nothing holds a restart where nothing would be lost by it", async () => {
  conversations.set("a", { isBusy: false, title: "Trip" });
  drafts.set("a", "  ");
  drafts.set("b", "/update install");
  expect(await installed("a", "b", "gone")).toBe(isInstalled);
  expect(install).toHaveBeenCalledTimes(1);
});

test("a run, voice, a download and unsent words hold it, each in its own words", async () => {
  conversations.set("a", { isBusy: false, title: "Trip" });
  conversations.set("b", { isBusy: true, title: "Taxes" });
  expect(await installed("a", "b")).toBe("“Taxes” is at work. Parley was not restarted.");
  conversations.delete("b");
  drafts.set("a", "Where do we");
  expect(await installed("a")).toBe("There are unsent words in “Trip”. Parley was not restarted.");
  drafts.set("b", "of one without messages");
  expect(await installed("b")).toBe("There are unsent words in “Parley”. Parley was not restarted.");
  isDownloading = true;
  expect(await installed()).toBe("A speech model is being downloaded. Parley was not restarted.");
  listening = "a";
  expect(await installed()).toBe("Voice is on. Parley was not restarted.");
  expect(install).not.toHaveBeenCalled();
});

test("only conversations that are open hold it", async () => {
  drafts.set("a", "kept with the conversation");
  expect(await installed()).toBe(isInstalled);
});
