import { seedMeeting } from "../e2e/support/seeded-meeting.ts";
import { expect, replies, send } from "../e2e/support/test.ts";
import { project, script } from "./release-notes.ts";
import { picture, test } from "./stage.ts";

test("first-run", async ({ open }) => {
  const settings = { provider: "auto", firstRun: true, startWith: "new" };
  const parley = await open({ settings, env: { ANTHROPIC_API_KEY: "" } });
  await expect(parley.page.getByTestId("set-up")).toBeVisible();
  await picture(parley, "first-run");
});

for (const [name, section] of [
  ["settings", "models"],
  ["settings-permissions", "permissions"],
] as const)
  test(name, async ({ open }) => {
    const parley = await open(project);
    await parley.page.keyboard.press("Control+,");
    await parley.page.locator(`[data-section="${section}"]`).click();
    // The provider is asked for its models first.
    if (section === "models")
      await parley.page.locator('option[value="claude-sonnet-4-6"]').first().waitFor({ state: "attached" });
    await picture(parley, name);
  });

test("quick", async ({ open, quickOf, model }) => {
  // In the wide font of a bare system an effort beside the model's name puts the footer on two lines.
  const parley = await open({ ...project, settings: { ...project.settings, effort: "default" } });
  const quick = await quickOf(parley);
  await picture(parley, "quick", { of: quick });
  model.answerUnmarked(
    script("text", { text: "Your landlord may come in only after telling you. **48 hours** are usual." }),
  );
  await send(quick, "What does this clause mean for me?");
  await expect(replies(quick)).toHaveCount(1);
  await picture(parley, "quick-answer", { of: quick });
});

const summary = [
  "## So far",
  "- 2.4 is out. Nothing came back overnight. [09:39:00]",
  "- Copying the old invoices works. The checks after it take four hours. [09:41:00]",
  "## Decided",
  "- Sample on the night itself, full check on Saturday. [09:43:12]",
  "- No deploys on the 9th. [09:46:00]",
  "## To do",
  "- [ ] Write up the sampling plan · me, today [09:43:12]",
  "- [ ] Tell support, two days ahead · me, today [09:44:36]",
].join("\n");

test("meeting", async ({ open, model }) => {
  const parley = await open({ ...project, seed: seedMeeting });
  const { page } = parley;
  await page.getByText("Standup, Tuesday").first().click();
  await page.getByTestId("meeting-open").click();
  model.answerUnmarked(script("text", { text: summary }));
  await page.getByTestId("meeting-summarise").click();
  await expect(page.getByTestId("meeting-summary").getByRole("checkbox")).toHaveCount(2);
  await picture(parley, "meeting");
});
