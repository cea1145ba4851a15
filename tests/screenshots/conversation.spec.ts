import { expect, send } from "../e2e/support/test.ts";
import { playNotes, project, script } from "./release-notes.ts";
import { picture, test } from "./stage.ts";

test("window", async ({ open, model }) => {
  const parley = await open(project);
  await playNotes(parley, model);
  await parley.page.getByTestId("composer").fill("Also mention the new tray icons, as in @docs/tray.md ");
  await picture(parley, "window");
  await parley.page.getByTestId("transcript").evaluate((one) => one.scrollTo(0, 100));
  await picture(parley, "window-earlier");
});

test("empty", async ({ open }) => {
  await picture(await open(project), "empty");
});

test("states-conversation", async ({ open, model }) => {
  const parley = await open(project);
  const { page } = parley;
  const write = { path: "site/releases.json", content: '{ "version": "2.4.0" }\n' };
  const calls = [
    { name: "write_file", input: write },
    { name: "web_fetch", input: { url: "https://api.example.org/releases" } },
    {
      name: "ask_user",
      input: {
        question: "Which date goes into the notes?",
        options: [{ label: "22 November" }, { label: "The day of the tag" }],
      },
    },
  ];
  model.answerUnmarked(script("tools", { calls }));
  await send(page, "Write the release file, and tell the site.");
  await expect(page.locator("[data-waits]")).toHaveCount(3);
  await send(page, "/session");
  await expect(page.getByTestId("command-answer")).toHaveCount(1);
  await picture(parley, "states-conversation");
});

test("states-errors", async ({ open, model }) => {
  const parley = await open(project);
  const { page } = parley;
  model.answerUnmarked(script("status", { code: 401, times: -1 }));
  await send(page, "What changed since yesterday?");
  await expect(page.getByTestId("error-card")).toHaveCount(1);
  model.answerUnmarked(script("text", { text: "Two things: the notes, and the tag.", hold: "here", at: 3 }));
  await send(page, "And now?");
  await model.held("here");
  await send(page, "Then post it to the team");
  await expect(page.getByTestId("queue-item")).toHaveCount(1);
  await picture(parley, "states-errors");
});

test("rewind", async ({ open, model }) => {
  const parley = await open(project);
  const { page } = parley;
  await playNotes(parley, model);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("stop")).toBeHidden();
  const prompt = page.getByTestId("message-user").last();
  await prompt.hover();
  await prompt.getByRole("button", { name: "Rewind to before this" }).click();
  await expect(page.getByTestId("rewind-preview")).toBeVisible();
  await picture(parley, "rewind");
});

for (const menu of ["model", "level"] as const)
  test(`states-controls-${menu}`, async ({ open }) => {
    const parley = await open(project);
    const { page } = parley;
    const shown = page.getByTestId(`${menu}-menu`);
    const show = async () => {
      await page.getByTestId(menu).click();
      await expect(shown).toBeVisible();
      if (menu === "model") await expect(shown.getByTestId("model-choice")).toHaveCount(3);
    };
    await show();
    await picture(parley, `states-controls-${menu}`, {
      // It stands where its button was in the wide window, out of sight: it is opened anew.
      narrow: async () => {
        await page.keyboard.press("Escape");
        await expect(shown).toBeHidden();
        await show();
      },
    });
  });

test("palette", async ({ open, model }) => {
  const parley = await open(project);
  const { page } = parley;
  await playNotes(parley, model);
  await page.keyboard.press("Control+K");
  await page.getByTestId("palette").getByRole("combobox").fill("rew");
  await expect(page.getByTestId("palette").getByText("Rewind", { exact: false }).first()).toBeVisible();
  await picture(parley, "palette");
});
