import { expect, replies, send, test } from "../support/test.ts";

test("a right click opens a conversation's menu, which stays until something is chosen or clicked elsewhere", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel();
  await send(page, "one");
  await expect(replies(page)).toHaveText(["one"]);
  const row = page.getByTestId("conversation-item").first();
  const menu = page.getByTestId("row-menu");
  await row.hover();
  await page.mouse.down({ button: "right" });
  await expect(menu).toBeVisible();
  await page.mouse.up({ button: "right" });
  // What the release does is done by the time that the next key is.
  await page.keyboard.press("ArrowDown");
  await expect(menu).toBeVisible();
  await expect(menu.getByRole("menuitem").nth(1)).toBeFocused();

  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(row).toBeFocused();

  await row.click({ button: "right" });
  await expect(menu).toBeVisible();
  await page.getByTestId("composer").click();
  await expect(menu).toHaveCount(0);
  await expect(page.getByTestId("composer")).toBeFocused();

  await row.click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Rename" }).click();
  await expect(menu).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
});
