import type { Page } from "playwright/test";
import { everywhere, test } from "../support/all-pages.ts";
import { expect } from "../support/expect.ts";

// What is loaded, where a page can go, and whom calls are answered to. The numbers are those of Electron's security
// checklist; the others are in security-pages.spec.ts.

test("1. only what belongs to the app is loaded", async ({ parley }) => {
  await everywhere(parley, async (page) => {
    const loaded = await page.evaluate(() => [
      location.href,
      ...performance.getEntriesByType("resource").map(({ name }) => name),
    ]);
    expect(loaded.filter((url) => !url.startsWith("app://parley/"))).toEqual([]);
  });
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
