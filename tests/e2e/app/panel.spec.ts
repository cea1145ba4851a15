import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ElectronApplication, Page } from "playwright/test";
import { seedMeeting, standup } from "../support/seeded-meeting.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const script = (name: string, args: object) => `[[script:${name} ${JSON.stringify(args)}]]`;
const root = resolve(import.meta.dirname, "../../..");
const panel = (page: Page) => page.getByTestId("side-panel");
const write = (path: string, content: string) => ({ name: "write_file", input: { path, content } });

async function resize(app: ElectronApplication, page: Page, width: number, height = 760): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, [wide, high]) => {
      const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
      window?.setSize(wide, high);
    },
    [width, height] as const,
  );
  await page.waitForFunction((wide) => innerWidth === wide, width);
}

test("the panel tells how full the context is and what it cost, by the provider's own counts, also after a restart", async ({
  startWithModel,
}) => {
  const settings = { contextWindow: 20_000, model: "claude-haiku-4-5" };
  const first = await startWithModel({ settings });
  await expect(panel(first.page)).toHaveCount(0);
  const usage = { input: 1000, output: 50, cacheRead: 9000, cacheWrite: 0 };
  await send(first.page, `Hello ${script("text", { text: "Hello.", usage })}`);
  const told = async (page: Page) => {
    const shown = page.getByTestId("context");
    await expect(shown.locator("h2")).toHaveText("Context 50 %");
    await expect(shown).toContainText("Tokens of 20,00010,050");
    await expect(shown).toContainText("From the cache90 %");
    await expect(shown).toContainText(/Cost so far(under )?\$0\.0/);
    await expect(shown.getByRole("meter")).toHaveAttribute("aria-valuenow", "10050");
    await expect(shown.getByTestId("context-tick")).toHaveAttribute("title", /from 16,000 tokens on/);
    await expect(shown.getByTestId("context-warning")).toHaveCount(0);
  };
  await told(first.page);
  await shots(first.page, "context");
  await first.close();
  const again = await startWithModel({ home: first.home });
  await told(again.page);
});

test("from 80 % on the panel warns, and says so where nothing makes room", async ({ startWithModel }) => {
  const { page } = await startWithModel({ settings: { contextWindow: 20_000, compactionStrategy: "none" } });
  const usage = { input: 17_000, output: 50, cacheRead: 0, cacheWrite: 0 };
  await send(page, `Hello ${script("text", { text: "Hello.", usage })}`);
  await expect(page.getByTestId("context-warning")).toContainText("older messages aren't summarised");
  await expect(page.getByTestId("context-tick")).toHaveCount(0);
  await expect(page.getByRole("meter")).toHaveAttribute("data-full", "true");
  await shots(page, "full");
});

test("the files that a conversation changed are counted, shown, opened and rewound", async ({
  startWithModel,
}) => {
  const { app, page, home } = await startWithModel({
    settings: { permissionMode: "work" },
    files: { "notes.md": "one\ntwo\n", "untouched.md": "as it was\n" },
  });
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Reflect.set(globalThis, "opened", opened);
    shell.openPath = async (path) => {
      opened.push(`open ${path}`);
      return "";
    };
    shell.showItemInFolder = (path) => opened.push(`show ${path}`);
  });
  const files = page.getByTestId("files-changed");
  const calls = [
    { name: "read_file", input: { path: "notes.md" } },
    { name: "edit_file", input: { path: "notes.md", old_string: "two", new_string: "2\n3" } },
    write("docs/new.html", "<p>new</p>\n"),
  ];
  await send(page, `Change them ${script("tools", { calls })}`);
  await expect(replies(page)).toHaveCount(1);
  await expect(files.getByTestId("changed-file")).toHaveText(["docs/new.html+1", "notes.md+2−1"]);
  await expect(files.locator("h2")).toHaveText("Files changed +3−1");
  await shots(page, "files");

  await files.getByRole("button", { name: "Show what changed in notes.md" }).click();
  const review = page.getByTestId("review");
  await expect(review.locator('[data-sign="+"]:visible')).toHaveText([/2/, /3/]);
  await shots(page, "review");
  await page.keyboard.press("Escape");
  await expect(review).toHaveCount(0);
  await files.getByRole("button", { name: "Open notes.md" }).click();
  // A page might run what is in it: its folder is shown instead.
  await files.getByRole("button", { name: "Open docs/new.html" }).click();
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, "opened")))
    .toEqual([
      `open ${join(home, "Parley", "notes.md")}`,
      `show ${join(home, "Parley", "docs", "new.html")}`,
    ]);

  // One file alone: what will change is said first, and it can be taken back.
  const onDisk = () => readFileSync(join(home, "Parley", "notes.md"), "utf8");
  const dialog = page.getByTestId("rewind-dialog");
  const rewindNotes = async () => {
    await files.getByRole("button", { name: "Rewind notes.md…" }).click();
    await expect(dialog.getByTestId("rewind-file")).toHaveText(/notes\.md.*will be restored/);
    await expect(dialog.getByRole("radio")).toHaveCount(0);
    await dialog.getByTestId("rewind-now").click();
    await expect(dialog.getByTestId("rewind-result")).toHaveText(/notes\.md.*restored/);
    expect(onDisk()).toBe("one\ntwo\n");
  };
  await rewindNotes();
  await shots(page, "rewound-one");
  await dialog.getByRole("button", { name: "Redo" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(files.getByTestId("changed-file")).toHaveText(["docs/new.html+1", "notes.md+2−1"]);
  expect(onDisk()).toBe("one\n2\n3\n");
  await rewindNotes();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await expect(files.getByTestId("changed-file")).toHaveText(["docs/new.html+1"]);
  await expect(page.getByTestId("note").last()).toContainText("Rewound notes.md: 1 restored.");
  await page.getByTestId("note").last().getByRole("button", { name: "Redo" }).click();
  await expect(files.getByTestId("changed-file")).toHaveCount(2);

  await files.getByRole("button", { name: "Rewind…", exact: true }).click();
  await expect(dialog.getByRole("radio", { name: "Files" })).toBeChecked();
  await dialog.getByTestId("rewind-now").click();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await expect(files).toHaveCount(0);
  expect(readFileSync(join(home, "Parley", "notes.md"), "utf8")).toBe("one\ntwo\n");
});

test("a command and a sub-agent that run are stopped alone; the run goes on", async ({ startWithModel }) => {
  const { page } = await startWithModel({ settings: { permissionMode: "work" } });
  const running = page.getByTestId("running-part");
  const sleep = { name: "shell", input: { command: "echo begun; sleep 600" } };
  await send(page, `Wait ${script("tools", { calls: [sleep] })}`);
  await expect(running).toContainText("sleep 600");
  await shots(page, "running");
  await running.getByRole("button", { name: /^Stop/ }).click();
  await expect(replies(page)).toContainText(/interrupted by the user/i);
  await expect(page.getByTestId("running")).toHaveCount(0);

  const task = `Wait there ${script("tools", { calls: [sleep] })}`;
  await send(page, `[[script:delegate ${JSON.stringify({ text: task }).replaceAll("]", "\\u005d")}]]`);
  const agent = page.locator('[data-testid="running-part"][data-kind="agent"]');
  await expect(agent).toContainText("1 step");
  await agent.getByRole("button", { name: /^Stop/ }).click();
  await expect(replies(page).last()).toContainText("the user stopped it");
  await expect(page.getByTestId("running")).toHaveCount(0);
});

test("an MCP server that runs is stopped in the panel, and its process ends", async ({ start }) => {
  test.skip(process.platform !== "linux", "processes are looked for in /proc");
  const mark = `panel-${Date.now()}`;
  const program = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  const everything = { command: process.execPath, args: [program, "stdio", mark] };
  const { page } = await start({ settings: { mcpServers: { everything } } });
  const server = page.locator('[data-testid="running-part"][data-kind="server"]');
  const isAlive = () =>
    readdirSync("/proc").some((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[3] === mark;
      } catch {
        return false;
      }
    });
  await expect(server).toContainText(/everything.*MCP server.*\d+ tools/);
  expect(isAlive()).toBe(true);
  await shots(page, "running-server");
  await server.getByRole("button", { name: "Stop everything" }).click();
  await expect(server).toHaveCount(0);
  await expect.poll(isAlive).toBe(false);
});

test("the panel is closed and opened by its key, which is remembered; without room it is a sheet", async ({
  startWithModel,
}) => {
  const first = await startWithModel();
  // A new conversation has nothing to show there.
  await expect(panel(first.page)).toHaveCount(0);
  await first.page.keyboard.press("Control+.");
  await expect(panel(first.page)).toContainText("appear here");
  await first.page.keyboard.press("Control+.");
  await expect(panel(first.page)).toHaveCount(0);
  await send(first.page, "Stay closed");
  await expect(replies(first.page)).toHaveCount(1);
  await expect(panel(first.page)).toHaveCount(0);
  await first.close();
  const { app, page } = await startWithModel({ home: first.home });
  await expect(replies(page)).toHaveCount(1);
  await expect(panel(page)).toHaveCount(0);
  await page.getByTestId("panel-toggle").click();
  await expect(panel(page)).toBeVisible();
  await panel(page).getByRole("button", { name: "Hide the panel (Ctrl+.)" }).click();
  await expect(panel(page)).toHaveCount(0);
  await page.keyboard.press("Control+.");
  await expect(panel(page)).toBeVisible();

  await send(
    page,
    `Hello ${script("text", { text: "Hello.", usage: { input: 900, output: 5, cacheRead: 0, cacheWrite: 0 } })}`,
  );
  await expect(page.getByTestId("context")).toBeVisible();
  for (const width of [900, 420]) {
    await resize(app, page, width);
    await expect(panel(page)).toHaveCount(0);
    await page.getByTestId("composer").focus();
    await page.keyboard.press("Control+.");
    await expect(page.getByTestId("panel-sheet").getByTestId("context")).toBeVisible();
    await shots(page, `sheet-${width}`);
    await page.keyboard.press(width === 900 ? "Control+." : "Escape");
    await expect(panel(page)).toHaveCount(0);
    await expect(page.getByTestId("composer")).toBeFocused();
    // The same by its button, which stands in sight at every width.
    await expect(page.getByTestId("panel-toggle")).toBeInViewport({ ratio: 1 });
    await page.getByTestId("panel-toggle").click();
    await expect(page.getByTestId("panel-sheet").getByTestId("context")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("panel-toggle")).toBeFocused();
  }
  await resize(app, page, 1280);
  await expect(panel(page)).toBeVisible();
});

test("? and Ctrl+/ show every key; in a text box ? is a letter", async ({ start }) => {
  const { app, page } = await start();
  const sheet = page.getByTestId("keys-sheet");
  await page.getByTestId("composer").fill("why");
  await page.getByTestId("composer").press("End");
  await page.keyboard.type("?");
  await expect(page.getByTestId("composer")).toHaveValue("why?");
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press("Control+/");
  await expect(sheet).toBeVisible();
  await expect(sheet).toContainText("Ctrl+Shift+Y");
  await shots(page, "keys");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("composer")).toBeFocused();
  await page.getByTestId("title").focus();
  await page.keyboard.type("?");
  await expect(sheet).toBeVisible();
  await resize(app, page, 420);
  await shots(page, "keys-420");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("title")).toBeFocused();
  await expect(page.getByTestId("composer")).toHaveValue("why?");
});

test("a meeting that was heard has a part in the panel, which leads to its page", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel({ seed: (folder) => seedMeeting(folder, standup.slice(4, 10)) });
  const meeting = panel(page).getByTestId("meeting-section");
  await page.getByTestId("conversation-item").filter({ hasText: "Standup, Tuesday" }).click();
  await expect(meeting).toContainText("Lines heard6");
  await expect(meeting).toContainText("New since you asked6");
  await shots(page, "meeting");
  await meeting.getByRole("button", { name: "Open the meeting" }).click();
  await expect(page.getByTestId("meeting-page")).toBeVisible();
});
