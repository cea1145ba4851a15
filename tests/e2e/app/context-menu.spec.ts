import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose, keepMenus, lastMenu } from "../support/menus.ts";
import { expect, replies, send, test } from "../support/test.ts";

test("a right-click copies a link and has all of editing; spelling fetches nothing before the user agreed", async ({
  startWithModel,
}) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.statusCode = 404;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { app, page, userData } = await startWithModel();
    await keepMenus(app);
    // What is asked of Google comes here.
    await app.evaluate(({ session: { defaultSession } }, url) => {
      const set = defaultSession.setSpellCheckerDictionaryDownloadURL.bind(defaultSession);
      defaultSession.setSpellCheckerDictionaryDownloadURL = (wanted) =>
        set(wanted.replace("https://redirector.gvt1.com/", url));
    }, `http://127.0.0.1:${port}/`);
    await send(page, `link [[script:text ${JSON.stringify({ text: "See [it](https://example.com/a)." })}]]`);
    await replies(page).first().getByRole("link").click({ button: "right" });
    await expect
      .poll(() => lastMenu(app))
      .toEqual([{ label: "Copy link" }, { label: "" }, { label: "Read from here" }]);
    await choose(app, "Copy link");
    await expect
      .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
      .toBe("https://example.com/a");

    const composer = page.getByTestId("composer");
    await composer.fill("teh quick");
    await composer.click({ button: "right" });
    await expect.poll(async () => (await lastMenu(app)).at(-1)?.label).toBe("Check spelling…");
    expect((await lastMenu(app)).map(({ role }) => role).filter(Boolean)).toEqual([
      "undo",
      "redo",
      "cut",
      "copy",
      "paste",
      "selectall",
    ]);
    const isOn = async () =>
      (await readFile(join(userData, "settings.json"), "utf8")).includes('"checkSpelling": true');
    const dialogs = () => app.evaluate((): number => Reflect.get(globalThis, "dialogs") ?? 0);
    const answer = (response: number) =>
      app.evaluate(({ dialog }, chosen) => {
        dialog.showMessageBox = async () => {
          Object.assign(globalThis, { dialogs: (Reflect.get(globalThis, "dialogs") ?? 0) + 1 });
          return { response: chosen, checkboxChecked: false };
        };
      }, response);
    await answer(1);
    await choose(app, "Check spelling…");
    await expect.poll(dialogs).toBe(1);
    expect(await isOn()).toBe(false);
    expect(asked).toEqual([]);
    await answer(0);
    await choose(app, "Check spelling…");
    await expect.poll(isOn).toBe(true);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await composer.click({ button: "right" });
    await expect.poll(async () => (await lastMenu(app)).at(-1)?.label).toBe("Stop checking spelling");
    await choose(app, "Stop checking spelling");
    await expect.poll(isOn).toBe(false);
  } finally {
    server.close();
  }
});

test("a first start fetches no dictionary", async ({ start }) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-net-"));
  const log = join(folder, "net.json");
  try {
    const parley = await start({ switches: [`--log-net-log=${log}`] });
    await expect(parley.page.getByTestId("composer")).toBeVisible();
    await parley.close();
    const text = await readFile(log, "utf8");
    expect(text).toContain("constants");
    expect(text).not.toMatch(/gvt1|\.bdic/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
