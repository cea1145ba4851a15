import type { Locator } from "playwright/test";
import { seedSessions } from "../support/seed.ts";
import { shots } from "../support/shots.ts";
import { expect, test } from "../support/test.ts";

const code = (place: number) => `:\n\n\`\`\`ts\nconst step${place} = "done";\n\`\`\``;

test("Ctrl+F finds in the whole conversation, also in what is not loaded, marks it and gives the focus back", async ({
  start,
}) => {
  const { page } = await start({
    seed: (userData) => seedSessions(userData, { sessions: 1, messages: 900, more: code }),
  });
  await page.getByTestId("conversation-item").first().click();
  await expect(page.getByTestId("message-user").last()).toHaveText(/prompt 449/);
  await page.getByTestId("composer").focus();
  await page.keyboard.press("Control+f");
  const field = page.getByTestId("find-text");
  const count = page.getByTestId("find-count");
  await expect(field).toBeFocused();
  await field.fill("PROMPT 4");
  // 4, 40 to 49, 400 to 449.
  await expect(count).toHaveText("61 of 61");
  const here = () =>
    page.evaluate(() => [...(CSS.highlights.get("found-here") ?? [])].map((range) => `${range}`));
  await expect.poll(here).toEqual(["prompt 4"]);
  await field.press("Enter");
  await expect(count).toHaveText("1 of 61");
  const oldest = page.getByTestId("message-user").filter({ hasText: /prompt 4 of/ });
  await expect(oldest).toBeInViewport();
  await expect.poll(() => page.evaluate(() => CSS.highlights.get("found")?.size)).toBe(61);
  await shots(page, "find");
  await field.press("Shift+Enter");
  await expect(count).toHaveText("61 of 61");
  await expect(page.getByTestId("message-user").last()).toBeInViewport();

  const coloured = (message: Locator) => message.locator("code span");
  const newest = page.getByTestId("message-assistant").last();
  await expect(coloured(newest)).not.toHaveCount(0);
  await field.fill("step7 =");
  await expect(count).toHaveText("1 of 1");
  const found = page.getByTestId("message-assistant").filter({ hasText: "step7 =" });
  await expect(coloured(found)).not.toHaveCount(0);
  await expect.poll(here).toEqual(["step7 ="]);
  // Far from sight code is there, without its colours.
  await expect(coloured(newest)).toHaveCount(0);
  await expect(newest.locator("code")).toHaveText('const step449 = "done";');

  await field.fill("never said");
  await expect(count).toHaveText("No matches");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("find")).toBeHidden();
  await expect(page.getByTestId("composer")).toBeFocused();
  expect(await page.evaluate(() => CSS.highlights.size)).toBe(0);
});

test("formatted text is found as it is read, loaded or not, and all that is counted is marked", async ({
  start,
}) => {
  const more = (place: number) =>
    place === 3 || place === 98
      ? ": the **quick** brown [fox](https://colours.example/fox).\n\n| a `quick` | brown fox |\n|---|---|\n| quick\\_fox | quick **brown** fox |"
      : "";
  const { page } = await start({
    seed: (userData) => seedSessions(userData, { sessions: 1, messages: 200, more }),
  });
  await page.getByTestId("conversation-item").first().click();
  await expect(page.getByTestId("message-user").last()).toHaveText(/prompt 99/);
  await page.keyboard.press("Control+f");
  const field = page.getByTestId("find-text");
  const count = page.getByTestId("find-count");
  const marked = (name: string) =>
    page.evaluate((of) => [...(CSS.highlights.get(of) ?? [])].map((range) => `${range}`), name);
  await field.fill("quick brown fox");
  await expect(count).toHaveText("4 of 4");
  await expect.poll(() => marked("found-here")).toEqual(["quick brown fox"]);
  await expect.poll(() => marked("found")).toHaveLength(2);
  await field.press("Enter");
  await expect(count).toHaveText("1 of 4");
  await expect.poll(() => marked("found")).toEqual(Array(4).fill("quick brown fox"));
  await field.fill("quick_fox");
  await expect(count).toHaveText("2 of 2");
  await expect.poll(() => marked("found")).toEqual(["quick_fox", "quick_fox"]);
  for (const unread of ["**", "colours.example", "copy"]) {
    await field.fill(unread);
    await expect(count).toHaveText("No matches");
  }
});
