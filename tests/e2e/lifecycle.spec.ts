import { existsSync } from "node:fs";
import { fakeMicrophone, silence, writeWav } from "./support/audio.ts";
import { closeMainWindow, pageAt, reopenMainWindow } from "./support/launch.ts";
import { expect, replies, send, test, voiceState } from "./support/test.ts";

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

test("a quick prompt goes the same way, marked as quick, and opens in the window", async ({
  startWithModel,
}) => {
  const { app, page } = await startWithModel();
  await app.evaluate(({ Menu }) => {
    const [conversation] = Menu.getApplicationMenu()?.items ?? [];
    conversation?.submenu?.items.find(({ label }) => label === "Quick prompt")?.click();
  });
  const quick = await pageAt(app, "/quick/");
  await quick.getByRole("textbox").fill("a thought in passing");
  await quick.keyboard.press("Enter");
  await expect(quick.getByText("a thought in passing").last()).toBeVisible();
  await quick.keyboard.press("Control+Enter");
  await expect(page.getByTestId("message-user")).toContainText("quick");
  await expect(replies(page)).toHaveText("a thought in passing");
  await quick.keyboard.press("Escape");
  const quickIsVisible = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().some((shown) => shown.getTitle().includes("quick") && shown.isVisible()),
    );
  await expect.poll(quickIsVisible).toBe(false);
});
