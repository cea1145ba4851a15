import { shots } from "../support/shots.ts";
import { expect, send, test } from "../support/test.ts";

const code = [
  "```ts",
  "// Counts the words",
  'export const count = (text: string) => text.split(" ").length + 1;',
  "```",
].join("\n");
const tex = "\\frac{a_1}{\\sqrt{b}}";
const reply = `Here:\n\n${code}\n\nWith $x^2$ it costs $5 to $10:\n\n\\[\n${tex}\n\\]\n\n\\(\\href{https://evil.example}{x}\\) and \\(\\undefinedThing\\).`;

test("code has the colours of its language and formulas are drawn, while they stream and when they are opened again", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel();
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|Failed to load/i.test(message.text())) refused.push(message.text());
  });
  const args = { text: reply, hold: "end", at: 25 };
  await send(page, `show [[script:text ${JSON.stringify(args)}]]`);
  await model.held("end");
  const first = page.getByTestId("message-assistant").first();
  const pieces = first.locator("pre code span");
  await expect(pieces.filter({ hasText: /^export$/ })).toHaveCount(1);
  const colourOf = (text: RegExp) =>
    pieces.filter({ hasText: text }).evaluate((e) => getComputedStyle(e).color);
  const plain = await first.locator("pre code").evaluate((e) => getComputedStyle(e).color);
  const colours = [
    await colourOf(/^export$/),
    await colourOf(/^" "$/),
    await colourOf(/^\/\/ Counts/),
    plain,
  ];
  expect(new Set(colours).size).toBe(4);
  model.release("end");
  await expect(page.getByTestId("stop")).toBeHidden();
  await expect(first.locator("pre")).toHaveText(code.split("\n").slice(1, -1).join("\n"));
  await expect(first.locator(".katex")).toHaveCount(4);
  await expect(first.locator(".katex-display .mfrac")).toHaveCount(1);
  await expect(first).toContainText("it costs $5 to $10");
  await expect(first.locator('a[href*="evil"]')).toHaveCount(0);
  // Its own fonts are there: a formula in another face has other widths.
  expect(await page.evaluate(() => document.fonts.check("16px KaTeX_Math"))).toBe(true);
  // The styles are those of the version that made it.
  const sizePx = (path: string) =>
    first
      .locator(path)
      .first()
      .evaluate((e) => Number.parseFloat(getComputedStyle(e).fontSize));
  expect(await sizePx(".katex .msupsub .mtight")).toBeLessThan(0.8 * (await sizePx(".katex .mord")));
  await shots(page, "markdown");
  expect(refused).toEqual([]);
});
