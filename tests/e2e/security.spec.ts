import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { type ElectronApplication, expect, type Page } from "playwright/test";
import { test as base } from "./support/desktop.ts";
import { launchParley, pageAt } from "./support/launch.ts";
import { send } from "./support/test.ts";

// Electron's security checklist, its numbers in front of the names. Number 19, the fuses, is about the packaged app:
// tests/integration/setup-package.test.ts.

interface Shared {
  app: ElectronApplication;
  page: Page;
  /** All three kinds of page. */
  pages: { main: Page; quick: Page; audio: Page };
  /** Somebody else's server: what was asked of it. */
  other: { url: string; asked: string[] };
}

/** One app for all: nothing here may change it. */
const test = base.extend<object, { parley: Shared }>({
  parley: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const asked: string[] = [];
      const server = createServer((request, response) => {
        asked.push(request.url ?? "");
        response.end("hello");
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const { port } = server.address() as AddressInfo;
      const { app, page, close } = await launchParley({
        settings: { provider: "offline" },
        // Without the switch that answers for the user: it would pass over what is asked for here.
        switches: ["--use-fake-device-for-media-stream"],
      });
      await page.getByTestId("composer").waitFor();
      await app.evaluate(({ Menu }) => {
        const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
        items?.find(({ label }) => label === "Quick prompt")?.click();
      });
      const quick = await pageAt(app, "/quick/");
      const opened = app.waitForEvent("window", (one) => one.url().includes("/audio/"));
      await send(page, "/voice start");
      const audio = await opened;
      await audio.waitForLoadState();
      await use({
        app,
        page,
        pages: { main: page, quick, audio },
        other: { url: `http://127.0.0.1:${port}`, asked },
      });
      await close();
      server.closeAllConnections();
      server.close();
    },
    { scope: "worker" },
  ],
});

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

const everywhere = async (shared: Shared, check: (page: Page, name: string) => Promise<void>) => {
  for (const [name, page] of Object.entries(shared.pages)) await check(page, name);
};

test("1. only what belongs to the app is loaded", async ({ parley }) => {
  await everywhere(parley, async (page) => {
    const loaded = await page.evaluate(() => [
      location.href,
      ...performance.getEntriesByType("resource").map(({ name }) => name),
    ]);
    expect(loaded.filter((url) => !url.startsWith("app://parley/"))).toEqual([]);
  });
});

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
    return seen.filter((items) => JSON.stringify(items).includes("parley:call"));
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

test("7. the content security policy lets nothing inline, evaluated or remote through", async ({
  parley,
}) => {
  const { other } = parley;
  await everywhere(parley, async (page) => {
    const policy = await page.evaluate(async () =>
      (await fetch(location.href)).headers.get("content-security-policy"),
    );
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|blob:/);
    const refused = await page.evaluate(async (url) => {
      const names = new Set<string>();
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) =>
        names.add(effectiveDirective),
      );
      const add = (tag: string, more: Record<string, string>, text = "") => {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(more)) element.setAttribute(name, value);
        element.textContent = text;
        document.body.append(element);
        return element;
      };
      const added = [
        add("script", {}, "window.inlined = true"),
        add("script", { src: `${url}/a.js` }),
        add("img", { src: `${url}/a.png` }),
        add("link", { rel: "stylesheet", href: `${url}/a.css` }),
        add("iframe", { src: `${url}/frame` }),
        add("object", { data: `${url}/object` }),
        add("video", { src: `${url}/a.mp4` }),
        add("div", { onclick: "window.inlined = true" }),
      ];
      added.at(-1)?.click();
      await fetch(`${url}/fetched`).catch(() => {});
      // In a task of the page's own: the debugger, which runs this, may evaluate what it likes.
      const evaluated = await new Promise<boolean>((resolve) => {
        setTimeout(() => {
          try {
            // biome-ignore lint/security/noGlobalEval: what must not work
            globalThis.eval("1");
            resolve(true);
          } catch {
            resolve(false);
          }
        });
      });
      // Violations are told in tasks of their own, in order: a last one comes after all.
      const told = new Promise<void>((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
          if (blockedURI.includes("last")) resolve();
        });
      });
      await fetch(`${url}/last`).catch(() => {});
      await told;
      for (const element of added) element.remove();
      return { names: [...names].sort(), evaluated, inlined: "inlined" in window };
    }, other.url);
    expect(refused.evaluated).toBe(false);
    expect(refused.inlined).toBe(false);
    expect(refused.names).toEqual(
      expect.arrayContaining([
        "connect-src",
        "img-src",
        "media-src",
        "script-src",
        "script-src-attr",
        "script-src-elem",
        "style-src-elem",
      ]),
    );
  });
  expect(other.asked).toEqual([]);
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

test("13. no page goes anywhere else", async ({ parley }) => {
  const { other } = parley;
  await everywhere(parley, async (page) => {
    const before = page.url();
    const contents = await page.evaluate(async (url) => {
      const link = document.createElement("a");
      link.href = `${url}/link`;
      document.body.append(link);
      link.click();
      link.remove();
      location.href = `${url}/location`;
      location.assign("file:///etc/passwd");
      history.pushState(null, "", location.pathname);
      return location.href;
    }, other.url);
    expect(contents).toBe(before);
    expect(page.url()).toBe(before);
  });
  const guarded = await parley.app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().flatMap((contents) =>
      ["will-navigate", "will-frame-navigate"].map((name) => {
        let isPrevented = false;
        contents.emit(name, { preventDefault: () => (isPrevented = true), url: "app://parley/quick/" }, "");
        return isPrevented;
      }),
    ),
  );
  expect(guarded.every(Boolean)).toBe(true);
  expect(other.asked).toEqual([]);
});

test("14. no page opens a window", async ({ parley }) => {
  const { app, other } = parley;
  const before = app.windows().length;
  await everywhere(parley, async (page) => {
    const opened = await page.evaluate((url) => {
      const link = document.createElement("a");
      link.href = `${url}/blank`;
      link.target = "_blank";
      document.body.append(link);
      link.click();
      link.remove();
      return [
        window.open(`${url}/open`),
        window.open("app://parley/main/index.html"),
        window.open("about:blank"),
      ];
    }, other.url);
    expect(opened).toEqual([null, null, null]);
  });
  expect(app.windows()).toHaveLength(before);
  expect(other.asked).toEqual([]);
});

test("15. only web and mail links are handed to the system", async ({ parley }) => {
  const { app, page } = parley;
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Reflect.set(globalThis, "opened", opened);
    shell.openExternal = async (url: string) => {
      opened.push(url);
    };
  });
  const open = (urls: string[]) =>
    page.evaluate(
      async (all) => Promise.all(all.map(async (url) => (await window.parley.call("link.open", { url })).ok)),
      urls,
    );
  const refused = [
    "file:///etc/passwd",
    "smb://evil.example/share",
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "ms-msdt:/id",
    "search-ms:query=x",
    "app://parley/main/index.html",
    "ftp://evil.example",
    "/etc/passwd",
    "C:\\Windows\\System32\\calc.exe",
    "\\\\evil.example\\share",
    " file:///etc/passwd",
    "",
  ];
  expect(await open(refused)).toEqual(refused.map(() => false));
  expect(await open(["https://example.org/a b", "mailto:ada@example.org"])).toEqual([true, true]);
  expect(await app.evaluate(() => Reflect.get(globalThis, "opened"))).toEqual([
    "https://example.org/a%20b",
    "mailto:ada@example.org",
  ]);
});

test("16. a release ships a current Electron, and one that is past its end is named as that", async ({
  parley,
}) => {
  const manifest: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"),
  );
  // The newest that was there when this was written: it may only rise, and is pinned.
  const version = manifest.devDependencies.electron ?? "";
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Number(version.split(".")[0])).toBeGreaterThanOrEqual(45);
  const running = await parley.app.evaluate(() => process.versions.electron);
  const info = await parley.page.evaluate(() => window.parley.call("app.info", undefined));
  expect(info).toMatchObject({ ok: true, value: { electron: running, isTestRuntime: running !== version } });
});

test("17. calls are answered to the main frame of the pages that have any, and to nobody else", async ({
  parley,
}) => {
  const call = (page: Page) => page.evaluate(() => window.parley.call("app.info", undefined));
  expect(await call(parley.pages.main)).toMatchObject({ ok: true });
  expect(await call(parley.pages.quick)).toMatchObject({ ok: true });
  expect(await call(parley.pages.audio)).toMatchObject({ ok: false, error: { code: "forbidden_sender" } });
  // A page of somebody else's that had got hold of our preload.
  const theirs = await parley.app.evaluate(async ({ app, BrowserWindow }, url) => {
    const preload = `${app.getAppPath()}/out/preload/preload.cjs`;
    const window = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
    await window.loadURL(url);
    const answer: unknown = await window.webContents.executeJavaScript("window.parley.call('app.info')");
    window.destroy();
    return answer;
  }, `${parley.other.url}/app://parley/main/`);
  parley.other.asked.length = 0;
  expect(theirs).toMatchObject({ ok: false, error: { code: "forbidden_sender" } });
  const channels = await parley.app.evaluate(({ ipcMain }) => ipcMain.eventNames().map(String));
  expect(channels.filter((name) => !name.startsWith("-") && name !== "error")).toEqual([]);
});

test("18. pages come from a protocol of our own, which gives nothing but the app's pages", async ({
  parley,
}) => {
  const paths = [
    "app://parley/../package.json",
    "app://parley/%2e%2e/%2e%2e/package.json",
    "app://parley/main/..%2f..%2f..%2fpackage.json",
    "app://parley/..%5c..%5cpackage.json",
    "app://parley//etc/passwd",
    "app://parley/main/",
    "app://other/main/index.html",
    "app://parley/%00",
    "app://parley/%zz",
  ];
  const answers = await parley.app.evaluate(
    async ({ net }, urls) =>
      Promise.all(
        urls.map(async (url) =>
          net.fetch(url).then(
            ({ status }) => status,
            () => "refused",
          ),
        ),
      ),
    paths,
  );
  for (const [index, answer] of answers.entries()) expect([404, "refused"], paths[index]).toContain(answer);
  const files = await parley.page.evaluate(() =>
    fetch("file:///etc/passwd").then(
      () => "read",
      () => "refused",
    ),
  );
  expect(files).toBe("refused");
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
