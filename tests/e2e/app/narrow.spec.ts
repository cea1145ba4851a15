import type { ElectronApplication, Page } from "playwright/test";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test, voiceState } from "../support/test.ts";

async function resize(app: ElectronApplication, page: Page, width: number): Promise<void> {
  await app.evaluate(({ BrowserWindow }, wide) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
    window?.setSize(wide, 640);
  }, width);
  await page.waitForFunction((wide) => innerWidth === wide, width);
}

// Bug: a later style sheet undid the rules for narrow windows, and the list stood above the conversation.
for (const width of [740, 420])
  test(`a window of ${width} pixels shows the conversation; the list comes over it when it is asked for`, async ({
    start,
  }) => {
    const { app, page } = await start();
    const list = page.getByRole("navigation", { name: "Conversations" });
    const conversation = page.getByRole("main");
    await send(page, "help");
    await expect(replies(page)).toHaveCount(1);
    await resize(app, page, width);
    await expect(list).toBeHidden();
    await expect.poll(() => conversation.boundingBox()).toMatchObject({ x: 0, y: 0, width });
    await shots(page, "folded");

    const menu = page.getByRole("button", { name: "Conversations", exact: true });
    await menu.click();
    await expect(list).toBeVisible();
    expect(await conversation.boundingBox()).toMatchObject({ x: 0, y: 0, width });
    await shots(page, "unfolded");
    await page.getByRole("button", { name: "Close the list" }).click({ position: { x: width - 10, y: 300 } });
    await expect(list).toBeHidden();

    await menu.click();
    await page.getByTestId("new-conversation").click();
    await expect(list).toBeHidden();
    await send(page, "what can you do?");
    await expect(replies(page)).toHaveCount(1);
    await expect(page.getByTestId("send")).toBeInViewport();

    // Whatever the header has to say of voice is there in full.
    await page.getByTestId("mic").click();
    await expect(voiceState(page, "failed")).toBeInViewport({ ratio: 1 });
    await shots(page, "failed");

    // The panel lies over the conversation, too.
    await page.keyboard.press("Control+Shift+L");
    await expect(page.getByTestId("voice-panel")).toBeInViewport();
    expect(await conversation.boundingBox()).toMatchObject({ x: 0, y: 0, width });
    await shots(page, "panel");
  });
