import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  clickQuick,
  closeMainWindow,
  launchParley,
  openQuick,
  quickWindow,
  reopenMainWindow,
} from "../support/launch.ts";
import { fakeMicrophone, silence, writeWav } from "../support/machine/audio.ts";
import { expect, press, replies, send, test, voiceState } from "../support/test.ts";

test("closing the window during a run does not stop it: the reply is there when the window comes back", async ({
  startWithModel,
  model,
}) => {
  const { app, page } = await startWithModel();
  await send(page, 'go on without me [[script:text {"words":30,"hold":"closed","at":10}]]');
  await model.held("closed");
  await closeMainWindow(app);
  model.release("closed");
  expect(await model.requests[0]?.finished).toBe(true);
  const again = await reopenMainWindow(app);
  await expect(replies(again)).toHaveText(/^word-1 .*word-30$/);
  await expect(again.getByTestId("message-user")).toHaveCount(1);
});

test("a window that comes back in mid-stream shows what was said so far, and then the rest", async ({
  startWithModel,
  model,
}) => {
  const { app, page } = await startWithModel();
  await send(page, 'slowly [[script:text {"words":30,"hold":"half","at":15}]]');
  await model.held("half");
  await closeMainWindow(app);
  const again = await reopenMainWindow(app);
  await expect(again.getByTestId("message-assistant")).toHaveText(/^word-1 .*word-15$/);
  model.release("half");
  await expect(replies(again)).toHaveText(/^word-1 .*word-30$/);
});

for (const how of ["quit", "SIGTERM"] as const) {
  test(`after ${how} no process of ours is left, voice and a run in full swing included`, async ({
    startWithModel,
    model,
  }) => {
    const parley = await startWithModel({ switches: fakeMicrophone(writeWav(silence(60_000))) });
    await parley.page.getByTestId("mic").click();
    await expect(voiceState(parley.page, "listening")).toBeVisible();
    await send(parley.page, 'never ends [[script:text {"hold":"never"}]]');
    await model.held("never");
    const processes = parley.processes();
    expect(processes.length).toBeGreaterThan(3);
    const exited = parley.app.waitForEvent("close");
    if (how === "quit") await parley.app.evaluate(({ app }) => app.quit());
    else process.kill(await parley.app.evaluate(() => process.pid), how);
    await exited;
    await expect.poll(() => processes.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  });
}

// Bug: a window whose page had crashed stayed blank, the quick prompt until the next start.
test("the page of the main window comes again after it crashed, with what it showed", async ({
  startWithModel,
}) => {
  const { app, page } = await startWithModel();
  await send(page, "still here");
  await expect(replies(page)).toHaveCount(1);
  const shown = await app.evaluate(async ({ webContents }) => {
    const main = webContents.getAllWebContents().find((one) => one.getURL().includes("/main/"));
    if (!main) return "no main window";
    const again = new Promise<void>((resolve) => void main.once("did-finish-load", () => resolve()));
    main.forcefullyCrashRenderer();
    await again;
    // The driver knows nothing of a page that came back.
    return await main.executeJavaScript(`new Promise((resolve) => {
      const look = () => {
        const reply = document.querySelector('[data-testid="message-assistant"]');
        if (reply) resolve(reply.textContent);
        else requestAnimationFrame(look);
      };
      look();
    })`);
  });
  expect(shown).toContain("still here");
});

test("the quick prompt is made anew after its page crashed", async ({ startWithModel }) => {
  const { app } = await startWithModel();
  const quick = await openQuick(app);
  const crashed = quick.waitForEvent("crash");
  await app.evaluate(({ webContents }) => {
    const shown = webContents.getAllWebContents().find((one) => one.getURL().includes("/quick/"));
    shown?.forcefullyCrashRenderer();
  });
  await crashed;
  await expect.poll(async () => (await quickWindow(app)).bounds).toBe(undefined);
  const opened = app.waitForEvent("window");
  await clickQuick(app);
  await expect((await opened).getByTestId("composer")).toBeFocused();
});

for (const when of ["at once", "after a command in the fence that was told aloud"] as const) {
  test(`a quit ${when} leaves nothing in the temporary folder`, async ({ startWithModel }) => {
    const temporary = mkdtempSync(join(tmpdir(), "quit-"));
    // As on a desktop: without one, the sound library makes a folder of its own.
    const runtime = mkdtempSync(join(tmpdir(), "runtime-"));
    const settings = { "voice.speak": "always", "voice.spokenLength": "whole", permissionMode: "auto" };
    const env = { TMPDIR: temporary, XDG_RUNTIME_DIR: runtime };
    const { app, page } = await startWithModel({ env, settings });
    if (when !== "at once") {
      // Where no fence was found, the command would ask.
      await page.getByTestId("level").click();
      await expect(page.getByTestId("level-work")).toBeEnabled();
      await page.keyboard.press("Escape");
      const calls = [{ name: "shell", input: { command: "echo done" } }];
      await send(page, `Run [[script:tools ${JSON.stringify({ calls })}]]`);
      await expect(replies(page)).toHaveText(/done/);
    }
    expect(readdirSync(temporary)).not.toEqual([]);
    const exited = app.waitForEvent("close");
    await app.evaluate((electron) => electron.app.quit());
    await exited;
    await expect.poll(() => readdirSync(temporary)).toEqual([]);
  });
}

test("a command that outlived Parley and its watcher, both killed, is ended by the next start", async ({
  startWithModel,
}) => {
  // A fence would end it at once: without one it is the next start's to do.
  const settings = { fence: "off" };
  const first = await startWithModel({ settings });
  const calls = [{ name: "shell", input: { command: "sleep 300" } }];
  await send(first.page, `go [[script:tools ${JSON.stringify({ calls })}]]`);
  await press(first.page.getByTestId("allow"));
  const recordFolder = join(first.userData, "processes");
  const record = () => (existsSync(recordFolder) ? readdirSync(recordFolder) : []);
  await expect.poll(record).toEqual([expect.stringMatching(/\.json$/)]);
  const commandLine = (pid: number) => {
    const path = `/proc/${pid}/cmdline`;
    return existsSync(path) ? readFileSync(path, "utf8").replaceAll("\0", " ") : "";
  };
  const inHand = () => first.processes().filter((pid) => commandLine(pid).startsWith("sleep 300"));
  await expect.poll(inHand).toHaveLength(1);
  const [command = 0] = inHand();
  const watchers = first.processes().filter((pid) => commandLine(pid).includes("read -r group"));
  expect(watchers).toHaveLength(1);
  const closed = first.app.waitForEvent("close");
  for (const pid of watchers) process.kill(pid, "SIGKILL");
  process.kill(await first.app.evaluate(() => process.pid), "SIGKILL");
  await closed;
  expect(commandLine(command)).toContain("sleep");

  const second = await startWithModel({ home: first.home, settings });
  await expect.poll(() => commandLine(command)).toBe("");
  await expect.poll(record).toEqual([]);
  expect(readFileSync(join(second.userData, "logs", "parley.log"), "utf8")).toContain(
    "was left by an earlier run of Parley",
  );
});

test("a command inherits none of the files that Parley has open", async ({ startWithModel }) => {
  const { page } = await startWithModel();
  const calls = [{ name: "shell", input: { command: "ls /proc/self/fd | tr '\\n' ' '" } }];
  await send(page, `look [[script:tools ${JSON.stringify({ calls })}]]`);
  // The fourth is ls's own, of the folder that it lists.
  await expect(replies(page)).toContainText("Results: 0 1 2 3 [exit code 0]");
});

test("a quick prompt goes the same way, marked as quick, and opens in the window", async ({
  startWithModel,
}) => {
  const { app, page } = await startWithModel();
  const quick = await openQuick(app);
  await quick.getByTestId("composer").fill("a thought in passing");
  await quick.keyboard.press("Enter");
  await expect(quick.getByText("a thought in passing").last()).toBeVisible();
  await quick.keyboard.press("Control+Enter");
  await expect(page.getByTestId("message-user")).toContainText("Quick prompt");
  await expect(replies(page)).toHaveText("a thought in passing");
  await quick.keyboard.press("Escape");
  const quickIsVisible = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().some((shown) => shown.getTitle().includes("quick") && shown.isVisible()),
    );
  await expect.poll(quickIsVisible).toBe(false);
});

test("what fails in a window, unseen, is a line of the log", async () => {
  const { page, userData, close } = await launchParley();
  await page.evaluate(() =>
    console.error("The above error occurred.", "sk-ant-api03-notforanybody".repeat(2)),
  );
  const file = join(userData, "logs", "parley.log");
  const log = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
  await expect.poll(log).toContain("/main/index.html says: The above error occurred.");
  expect(log()).not.toContain("notforanybody");
  await close();
});
