import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, replies, send, test } from "./support/test.ts";

const calling = (...calls: { name: string; input: unknown }[]) =>
  `do it [[script:tools ${JSON.stringify({ calls })}]]`;

test("several calls wait in one list; the keyboard alone answers them, and always is written down", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({ files: { "notes.txt": "one\ntwo\nthree\n" } });
  const command = { name: "shell", input: { command: "git --version" } };
  const edit = { name: "edit_file", input: { path: "notes.txt", old_string: "two", new_string: "2" } };
  await send(page, calling(command, edit));
  const cards = page.getByTestId("approvals").getByTestId("approval");
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText("git --version");
  await expect(cards.first().getByTestId("rule")).toContainText("exactly the command `git --version`");
  await expect(cards.nth(1).locator(".removed")).toHaveText("-two\n");
  await expect(cards.nth(1).locator(".added")).toHaveText("+2\n");
  await page.keyboard.press("ControlOrMeta+Shift+A");
  await page.keyboard.press("a");
  await expect(cards).toHaveCount(1);
  await expect(cards.first()).toBeFocused();
  await page.keyboard.press("y");
  await expect(replies(page)).toContainText("git version");
  expect(readFileSync(join(home, "Parley", "notes.txt"), "utf8")).toBe("one\n2\nthree\n");

  await send(page, calling(command));
  await expect(replies(page)).toHaveCount(2);
  await expect(cards).toHaveCount(0);
  await send(page, "/permissions");
  await expect(page.getByTestId("command-answer").last()).toContainText(
    "allow exactly the command git --version",
  );
});

test("the mode is one key away: what plan refuses never asks", async ({ startWithModel }) => {
  const { page, home } = await startWithModel();
  await expect(page.getByTestId("mode")).toHaveValue("ask");
  await page.keyboard.press("ControlOrMeta+Shift+P");
  await expect(page.getByTestId("mode")).toBeFocused();
  await page.getByTestId("mode").selectOption("plan");
  await expect(page.getByTestId("mode")).toHaveValue("plan");
  await send(page, calling({ name: "write_file", input: { path: "a.txt", content: "x" } }));
  await expect(replies(page)).toContainText("plan mode");
  await expect(page.getByTestId("approvals")).toHaveCount(0);
  expect(existsSync(join(home, "Parley", "a.txt"))).toBe(false);
});
