import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasAccessibilityBus, ScreenReader } from "../support/machine/screen-reader.ts";
import { expect, test } from "../support/test.ts";

test.skip(!hasAccessibilityBus, "there is no accessibility bus: Debian's package at-spi2-core brings it");

const call = { name: "write_file", input: { path: "new.txt", content: "brand new\n" } };

test("start, key, prompt, approval and rewind through AT-SPI alone, as a screen reader reads and presses them", async ({
  start,
  model,
}) => {
  const reader = await ScreenReader.open();
  const { home, page } = await start({
    settings: { provider: "auto", firstRun: true },
    env: { ANTHROPIC_BASE_URL: model.url },
    switches: ["--force-renderer-accessibility"],
  });
  /** Until the reader finds it: what the page looks like decides nothing here. */
  const heard = (role: string, name: string | RegExp) =>
    expect.poll(async () => (await reader.find(role, name)) !== undefined, { message: String(name) });
  const type = async (role: string, name: string | RegExp, words: string) => {
    await reader.focus(role, name);
    await expect.poll(() => reader.isFocused(role, name)).toBe(true);
    await page.keyboard.insertText(words);
  };
  const file = join(home, "Parley", "new.txt");

  await heard("dialog", /./).toBe(true);
  await type("password text", /key/i, "sk-ant-api03-0123456789abcdefghij");
  await reader.press("check box", /./);
  await reader.press("push button", /^Test/);
  await heard("push button", /^Done/).toBe(true);
  await expect
    .poll(() => reader.all().then((all) => all.map(({ name }) => name).join("\n")))
    .toContain("Works · ");
  await reader.press("push button", /^Done/);

  await heard("dialog", /./).toBe(false);
  await heard("entry", "Message").toBe(true);
  await expect(page.getByTestId("composer")).toBeFocused();
  await type("entry", "Message", `write it [[script:tools ${JSON.stringify({ calls: [call] })}]]`);
  await reader.press("push button", /^Send/);
  await heard("frame", /^Needs approval/).toBe(true);
  await heard("push button", /^Allow once/).toBe(true);
  // A press right after the card appeared counts for nothing.
  await expect
    .poll(async () => {
      if (!existsSync(file)) await reader.press("push button", /^Allow once/).catch(() => {});
      return existsSync(file);
    })
    .toBe(true);
  expect(readFileSync(file, "utf8")).toBe("brand new\n");

  await heard("push button", "Rewind to before this").toBe(true);
  await reader.press("push button", "Rewind to before this");
  await heard("push button", "Rewind").toBe(true);
  await expect.poll(() => reader.find("push button", "Rewind").then((one) => one !== undefined)).toBe(true);
  await reader.press("push button", "Rewind");
  await expect.poll(() => existsSync(file)).toBe(false);
  // The files are back before the dialog says so.
  await expect.poll(() => reader.find("push button", "Close").then((one) => one !== undefined)).toBe(true);
  await reader.press("push button", "Close");
  await heard("dialog", /./).toBe(false);
  reader.close();
});
