import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "playwright/test";
import { everywhere, type Shared, test } from "../support/all-pages.ts";
import { expect } from "../support/expect.ts";

// What a page is made of, and what it may do. The numbers are those of Electron's security checklist; the others are in
// security-origins.spec.ts, and number 19, the fuses of a release, in tests/integration/setup/setup-package.test.ts.

/** What Electron made of each window's preferences. */
async function preferences({ app }: Shared): Promise<Record<string, unknown>[]> {
  const all = await app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => {
      const read: unknown = Reflect.get(contents, "getLastWebPreferences");
      return typeof read === "function" ? JSON.stringify(Reflect.apply(read, contents, [])) : "{}";
    }),
  );
  expect(all.length).toBeGreaterThanOrEqual(3);
  return all.map((text) => ({ ...JSON.parse(text) }));
}

test("2. no page has Node", async ({ parley }) => {
  await everywhere(parley, async (page) => {
    const found = await page.evaluate(() =>
      ["require", "process", "module", "Buffer", "global", "ipcRenderer", "electron"].filter(
        (name) => name in window,
      ),
    );
    expect(found).toEqual([]);
  });
  for (const { nodeIntegration, nodeIntegrationInWorker, nodeIntegrationInSubFrames } of await preferences(
    parley,
  )) {
    expect(nodeIntegration).toBe(false);
    expect([nodeIntegrationInWorker, nodeIntegrationInSubFrames]).not.toContain(true);
  }
});

test("3. the preload's world is its own: what a page does to its own built-ins does not reach it", async ({
  parley,
}) => {
  for (const { contextIsolation } of await preferences(parley)) expect(contextIsolation).toBe(true);
  const stolen = await parley.pages.quick.evaluate(async () => {
    const seen: unknown[] = [];
    const real = Array.prototype.push;
    Array.prototype.push = function (...items: unknown[]) {
      seen[seen.length] = items;
      return Reflect.apply(real, this, items);
    };
    try {
      await window.parley.call("app.info", undefined);
    } finally {
      Array.prototype.push = real;
    }
    return seen.filter((items) => {
      try {
        return JSON.stringify(items).includes("parley:call");
      } catch {
        // In a circle: the page's own, which may draw meanwhile.
        return false;
      }
    });
  });
  expect(stolen).toEqual([]);
});

test("4. every page is sandboxed", async ({ parley }) => {
  for (const { sandbox } of await preferences(parley)) expect(sandbox).toBe(true);
});

test("5. a page gets no permission but the audio page its microphone", async ({ parley }) => {
  const ask = (page: Page) =>
    page.evaluate(async () => {
      const media = async (what: MediaStreamConstraints) => {
        try {
          const stream = await navigator.mediaDevices.getUserMedia(what);
          for (const track of stream.getTracks()) track.stop();
          return "granted";
        } catch {
          return "denied";
        }
      };
      const state = async (name: string) =>
        (await navigator.permissions.query({ name: name as PermissionName })).state;
      return {
        microphone: await media({ audio: true }),
        camera: await media({ video: true }),
        both: await media({ audio: true, video: true }),
        screen: await navigator.mediaDevices.getDisplayMedia({ video: true }).then(
          () => "granted",
          () => "denied",
        ),
        geolocation: await state("geolocation"),
        notifications: await Notification.requestPermission(),
        clipboard: await navigator.clipboard.readText().then(
          () => "granted",
          () => "denied",
        ),
        midi: await state("midi"),
      };
    });
  const none = {
    microphone: "denied",
    camera: "denied",
    both: "denied",
    screen: "denied",
    geolocation: "denied",
    notifications: "denied",
    clipboard: "denied",
    midi: "denied",
  };
  expect(await ask(parley.pages.main)).toEqual(none);
  expect(await ask(parley.pages.quick)).toEqual(none);
  expect(await ask(parley.pages.audio)).toEqual({ ...none, microphone: "granted" });
});

test("6. the same-origin policy is on", async ({ parley }) => {
  for (const { webSecurity } of await preferences(parley)) expect(webSecurity).toBe(true);
});

test("8. insecure content does not run", async ({ parley }) => {
  for (const { allowRunningInsecureContent } of await preferences(parley))
    expect(allowRunningInsecureContent).toBe(false);
});

test("9. no experimental features", async ({ parley }) => {
  for (const { experimentalFeatures } of await preferences(parley)) expect(experimentalFeatures).toBe(false);
});

test("10. no Blink features are switched on", async ({ parley }) => {
  for (const { enableBlinkFeatures } of await preferences(parley)) expect(enableBlinkFeatures ?? "").toBe("");
  const switched = await parley.app.evaluate(({ app }) =>
    ["enable-blink-features", "enable-features", "disable-web-security"].filter((name) =>
      app.commandLine.hasSwitch(name),
    ),
  );
  expect(switched.filter((name) => name !== "enable-features")).toEqual([]);
});

test("11. there are no webviews, so none that may open windows", async ({ parley }) => {
  for (const { webviewTag } of await preferences(parley)) expect(webviewTag).toBe(false);
  const isPlain = await parley.page.evaluate(
    () => !("getWebContentsId" in document.createElement("webview")),
  );
  expect(isPlain).toBe(true);
});

test("12. a webview that something would add is refused", async ({ parley }) => {
  const prevented = await parley.app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => {
      let isPrevented = false;
      contents.emit("will-attach-webview", { preventDefault: () => (isPrevented = true) }, {}, {});
      return isPrevented;
    }),
  );
  expect(prevented.every(Boolean)).toBe(true);
});

test("16. a release ships a current Electron, and one that is past its end is named as that", async ({
  parley,
}) => {
  const manifest: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync(resolve(import.meta.dirname, "../../../package.json"), "utf8"),
  );
  // The newest that was there when this was written: it may only rise, and is pinned.
  const version = manifest.devDependencies.electron ?? "";
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Number(version.split(".")[0])).toBeGreaterThanOrEqual(45);
  const running = await parley.app.evaluate(() => process.versions.electron);
  const info = await parley.page.evaluate(() => window.parley.call("app.info", undefined));
  expect(info).toMatchObject({ ok: true, value: { electron: running, isTestRuntime: running !== version } });
});

test("20. a page is given one small object, and no event of Electron's", async ({ parley }) => {
  await everywhere(parley, async (page) => {
    const given = await page.evaluate(() => ({
      own: Object.keys(window).filter((name) => /electron|ipc|node/i.test(name)),
      bridge: Object.entries(window.parley).map(([name, value]) => `${name}: ${typeof value}`),
    }));
    expect(given).toEqual({ own: [], bridge: ["call: function", "onPush: function"] });
  });
  const heard = parley.pages.quick.evaluate(
    () =>
      new Promise<string[][]>((resolve) => {
        const end = window.parley.onPush((...args: unknown[]) => {
          end();
          resolve(args.map((arg) => Object.keys(Object(arg))));
        });
        void window.parley.call("conversation.create", undefined);
      }),
  );
  const [push, ...more] = await heard;
  expect(more).toEqual([]);
  expect(push).toContain("type");
  expect(push).not.toContain("sender");
});
