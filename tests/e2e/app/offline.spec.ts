import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, replies, send, test } from "../support/test.ts";

test("without a key the offline assistant does a whole tool round, and says what it is", async ({
  start,
}) => {
  const { page, home } = await start({ files: { "notes.txt": "buy milk\n" } });
  mkdirSync(join(home, "Parley", "docs"));
  await expect(page.getByTestId("starter").first()).toContainText("Add a key");
  await send(page, "list the files in this folder and what is twelve times nine");
  await page.getByTestId("tool-group-summary").click();
  await expect(page.getByTestId("tool-card")).toHaveCount(2);
  await expect(replies(page).last()).toContainText("notes.txt");
  await expect(replies(page).last()).toContainText("108");
  await send(page, "read notes.txt");
  await expect(replies(page).last()).toContainText("buy milk");
  await send(page, "write me a poem");
  await expect(replies(page).last()).toContainText("/key set anthropic");
  await expect(page.getByTestId("model")).toHaveAttribute("title", /settings choose the offline assistant/);
});

test("a file outside the working folder is refused in words", async ({ start }) => {
  const { page } = await start();
  await send(page, "read /etc/hostname");
  await expect(replies(page).last()).toContainText(/outside|working folder/i);
});

test("“new session” opens a fresh conversation, and the old one is still there", async ({ start }) => {
  const { page } = await start();
  await send(page, "what time is it");
  await expect(replies(page)).toHaveCount(1);
  await send(page, "new session");
  await expect(page.getByTestId("conversation-item")).toHaveCount(2);
  await expect(page.getByTestId("message-user")).toHaveCount(0);
  await page.getByTestId("conversation-item").filter({ hasText: "what time is it" }).click();
  await expect(page.getByTestId("message-user").first()).toContainText("what time is it");
});

test("broken settings are said in the window, the default is used, the file is kept", async ({ start }) => {
  const { page } = await start({ settings: { maxTokens: "lots", modle: "opus" } });
  await expect(page.getByText("“maxTokens”")).toBeVisible();
  await expect(page.getByText("There is no setting “modle”")).toBeVisible();
  await send(page, "what time is it");
  await expect(replies(page)).toHaveCount(1);
});
