import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "../support/test.ts";

const electronSources = resolve(import.meta.dirname, "../../../electron");

/** Every value that our code imports from `electron`, by the text of the imports. */
function importedMembers(): string[] {
  const files = readdirSync(electronSources, { recursive: true, encoding: "utf8" });
  const members = files
    .filter((file) => file.endsWith(".ts") && file !== "preload.ts")
    .flatMap((file) => {
      const text = readFileSync(join(electronSources, file), "utf8");
      return [...text.matchAll(/import \{([^}]*)\} from "electron"/g)].flatMap(([, names = ""]) =>
        names.split(",").map((name) => name.trim()),
      );
    })
    .filter((name) => name !== "" && !name.startsWith("type "));
  return [...new Set(members)].sort();
}

test("every electron member that we import exists on this runtime", async ({ start }) => {
  const { app } = await start();
  const members = importedMembers();
  expect(members).toContain("BrowserWindow");
  const missing = await app.evaluate(
    (electron, names) => names.filter((name) => !(name in electron) || Reflect.get(electron, name) == null),
    members,
  );
  expect(missing).toEqual([]);
});

test("pages are locked in: no Node, no other origin, no new window, no permission", async ({ start }) => {
  const { app, page } = await start();
  const globals = await page.evaluate(() =>
    ["require", "process", "module", "ipcRenderer", "electron"].filter((name) => name in window),
  );
  expect(globals).toEqual([]);
  expect(await page.evaluate(() => Object.keys(window.parley).sort())).toEqual(["call", "onPush"]);
  const before = page.url();
  expect(await page.evaluate(() => window.open("https://example.com") === null)).toBe(true);
  await page.evaluate(() => {
    location.href = "https://example.com/";
  });
  expect(page.url()).toBe(before);
  const denied = await page.evaluate(() =>
    navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => "granted",
      (error: DOMException) => error.name,
    ),
  );
  expect(["NotAllowedError", "NotFoundError"]).toContain(denied);
  expect(app.windows()).toHaveLength(1);
});

test("a call with wrong arguments, or to no route, is answered with an error and does nothing", async ({
  start,
}) => {
  const { page } = await start();
  const answers = await page.evaluate(async () => {
    const call = (...args: unknown[]): Promise<unknown> => Reflect.apply(window.parley.call, null, args);
    return [
      await call("conversation.submit", { text: 7, origin: "typed" }),
      await call("conversation.submit", { text: "spoken?", origin: "voice" }),
      await call("no.such.route", {}),
      await call("__proto__", {}),
      await call("link.open", { url: "file:///etc/passwd" }),
    ];
  });
  for (const answer of answers) expect(answer).toMatchObject({ ok: false });
  await expect(page.getByTestId("message-user")).toHaveCount(0);
});

test("the window knows its runtime, and whether that is past its end of life", async ({ start }) => {
  const { app, page } = await start();
  const version = await app.evaluate(() => process.versions.electron);
  const info = await page.evaluate(() => window.parley.call("app.info", undefined));
  expect(info).toMatchObject({ ok: true, value: { electron: version, isTestRuntime: version === "33.2.1" } });
  // Said in About and by the doctor, over no conversation.
  await expect(page.getByTestId("runtime-notice")).toHaveCount(0);
});
