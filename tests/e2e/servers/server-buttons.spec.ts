import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createHttpServer, type HttpServer } from "../../fakes/mcp/http-mcp-server.ts";
import { type SystemBrowser, systemBrowser } from "../support/machine/browser.ts";
import { inState, openList, row } from "../support/server-list.ts";
import { shots } from "../support/shots.ts";
import { test as base, expect, press, replies, send } from "../support/test.ts";
import { trustFolder } from "../support/trust.ts";

const scripted = resolve("tests/fakes/mcp/scripted-mcp-server.mjs");

const test = base.extend<{ opener: SystemBrowser; web: HttpServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  opener: async ({}, use) => {
    const opener = await systemBrowser();
    await use(opener);
    await opener.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  web: async ({}, use) => {
    const web = await createHttpServer({ signIn: true });
    await use(web);
    await web.close();
  },
});

const callOf = (name: string) => `go [[script:tools ${JSON.stringify({ calls: [{ name, input: {} }] })}]]`;

test.describe("Sign in", () => {
  test.skip(process.platform !== "linux", "links are opened in another way on this system");

  test("opens the system's browser, waits for it visibly, and takes what it brings back: the server's tools work", async ({
    startWithModel,
    opener,
    web,
  }) => {
    const { page } = await startWithModel({ env: opener.env });
    await send(page, `/mcp add web ${web.url}`);
    await openList(page);
    await inState(page, "web", "needs_sign_in");
    await shots(page, "sign-in");
    await expect(row(page, "web")).toContainText("Sign-in needed");
    expect(opener.opened).toEqual([]);

    await row(page, "web").getByRole("button", { name: "Sign in" }).click();
    const address = await opener.next();
    expect(new URL(address).pathname).toBe("/authorize");
    await inState(page, "web", "starting");
    await expect(row(page, "web")).toContainText("Sign in to web in the browser window");
    await shots(page, "signing-in");
    const answer = await fetch(address);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      "You can close this page and go back to Parley.",
    ]);
    await inState(page, "web", "ready");
    await expect(row(page, "web")).not.toContainText("in the browser window");

    await page.keyboard.press("Escape");
    await send(page, callOf("web__whoami"));
    await press(page.getByTestId("allow"));
    await expect(replies(page)).toContainText("somebody");
    expect(opener.opened).toEqual([address]);
  });

  test("a no in the browser is told, and can be tried again", async ({ startWithModel, opener }) => {
    const web = await createHttpServer({ signIn: true, denies: "access_denied" });
    try {
      const { page } = await startWithModel({ env: opener.env });
      await send(page, `/mcp add web ${web.url}`);
      await openList(page);
      await inState(page, "web", "needs_sign_in");
      await row(page, "web").getByRole("button", { name: "Sign in" }).click();
      await (await fetch(await opener.next())).text();
      await inState(page, "web", "failed");
      await expect(row(page, "web")).toContainText("Signing in to web failed: access_denied.");
      await row(page, "web").getByRole("button", { name: "Retry" }).click();
      await opener.next();
    } finally {
      await web.close();
    }
  });
});

test.describe("Trust and start", () => {
  // In the fence: what lies outside of the folder is not there.
  const entry = (more: object = {}) => ({
    command: "node",
    args: ["server.mjs", JSON.stringify({ pid: "started", ...more })],
  });
  const started = (home: string, folder = "Parley") => existsSync(join(home, folder, "started"));
  const put = (home: string, folder: string, servers: object) => {
    mkdirSync(join(home, folder), { recursive: true });
    copyFileSync(scripted, join(home, folder, "server.mjs"));
    writeFileSync(join(home, folder, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
  };

  test("starts what a folder's .mcp.json names only after the click; it stays trusted for as long as it is the same", async ({
    startWithModel,
  }) => {
    const env = { NOTES_FOLDER: "/home/ada/notes", NODE_OPTIONS: "--max-old-space-size=200" };
    const seedHome = (home: string) => put(home, "Parley", { notes: { ...entry(), env } });
    const first = await startWithModel({ seedHome });
    const { page, home, userData } = first;
    const onRecord = () => readdirSync(join(userData, "processes"));
    await trustFolder(page);
    await openList(page);
    await inState(page, "notes", "needs_approval");
    await expect(row(page, "notes")).toContainText("Trust needed · this folder's .mcp.json");
    await expect(row(page, "notes").getByTestId("server-proposal")).toContainText("Runsnode server.mjs ");
    await expect(row(page, "notes").getByTestId("server-proposal")).toContainText(
      "NOTES_FOLDER=/home/ada/notes NODE_OPTIONS=--max-old-space-size=200",
    );
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("servers-button")).toContainText("1 needs you");
    await send(page, callOf("notes__echo"));
    await expect(replies(page)).toContainText('There is no tool "notes__echo".');
    expect(started(home)).toBe(false);

    await openList(page);
    await shots(page, "trust");
    await row(page, "notes").getByRole("button", { name: "Trust and start" }).click();
    await inState(page, "notes", "ready");
    expect(started(home)).toBe(true);
    // Should it outlive Parley, the next start ends it.
    expect(onRecord()).toHaveLength(1);
    await page.keyboard.press("Escape");
    await send(page, callOf("notes__echo"));
    await press(page.getByTestId("allow"));
    await expect(replies(page)).toHaveCount(2);
    await first.close();
    expect(onRecord()).toEqual([]);

    const second = await startWithModel({ home });
    await openList(second.page);
    await inState(second.page, "notes", "ready");
    await second.close();

    const third = await startWithModel({
      home,
      seedHome: () => put(home, "Parley", { notes: entry({ x: 1 }) }),
    });
    await openList(third.page);
    await inState(third.page, "notes", "needs_approval");
  });

  test("an edit of the file shows at once in the open list: what is new or changed asks, what is gone goes", async ({
    startWithModel,
  }) => {
    const seedHome = (home: string) => put(home, "Parley", { notes: entry() });
    const { page, home } = await startWithModel({ seedHome });
    await trustFolder(page);
    await openList(page);
    await row(page, "notes").getByRole("button", { name: "Trust and start" }).click();
    await inState(page, "notes", "ready");
    put(home, "Parley", { notes: entry(), mail: entry() });
    await inState(page, "mail", "needs_approval");
    await inState(page, "notes", "ready");
    await shots(page, "edited");

    writeFileSync(join(home, "Parley", ".mcp.json"), '{"mcpServers": {');
    await expect(page.getByTestId("servers")).toContainText("this is not valid JSON");
    await inState(page, "notes", "ready");
    await shots(page, "broken");
    put(home, "Parley", { notes: entry({ x: 1 }) });
    await inState(page, "notes", "needs_approval");
    await expect(row(page, "mail")).toHaveCount(0);
    await expect(page.getByTestId("servers")).not.toContainText("this is not valid JSON");
  });

  test("a folder's servers are those of the conversations in it: they come with /cd, and are gone elsewhere", async ({
    startWithModel,
    model,
  }) => {
    const { page, home } = await startWithModel({
      seedHome: (where) => put(where, "project", { notes: entry() }),
    });
    const offered = () => model.requests.at(-1)?.body.tools?.map(({ name }) => name) ?? [];
    await send(page, "hello");
    await expect(replies(page)).toHaveCount(1);
    await page.getByTestId("new-conversation").click();
    await expect(replies(page)).toHaveCount(0);
    await send(page, `/cd ${join(home, "project")}`);
    await expect(page.getByTestId("servers-button")).not.toContainText("needs you");
    await trustFolder(page);
    await expect(page.getByTestId("servers-button")).toContainText("1 needs you");
    expect(started(home, "project")).toBe(false);
    await openList(page);
    await row(page, "notes").getByRole("button", { name: "Trust and start" }).click();
    await inState(page, "notes", "ready");
    await page.keyboard.press("Escape");
    await page.getByTestId("composer").fill("/notes:gr");
    await expect(page.getByRole("listbox", { name: /command/i })).toContainText("/notes:greet");
    await send(page, "hello there");
    await expect(replies(page)).toHaveCount(1);
    expect(offered()).toContain("notes__echo");

    // The first conversation works elsewhere: no such server, no such tool, no such command.
    await page.getByTestId("conversation-item").filter({ hasNotText: "hello there" }).click();
    await expect(page.getByTestId("message-user")).toContainText("hello");
    await openList(page);
    await expect(page.getByTestId("server")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await send(page, "/notes:greet Ada");
    await expect(page.getByTestId("command-answer").last()).toContainText("There is no command");
    await send(page, "hello again");
    await expect(replies(page)).toHaveCount(2);
    expect(offered()).not.toContain("notes__echo");
  });
});
