import { expectNoViolations } from "../support/axe.ts";
import { openQuick } from "../support/launch.ts";
import { seedMeeting } from "../support/seeded-meeting.ts";
import { expect, send, test } from "../support/test.ts";
import {
  asking,
  visitAsked,
  visitAttached,
  visitPanel,
  visitQuick,
  visitSheets,
  visitStates,
} from "../support/window-states.ts";

test("axe finds nothing in the states of a conversation, its dialogs and the quick prompt", async ({
  startWithModel,
  model,
}) => {
  const parley = await startWithModel({ files: { "notes.txt": "one\ntwo\n" } });
  await visitStates(parley, model, expectNoViolations);
  await visitQuick(await openQuick(parley.app), expectNoViolations);
});

test("axe finds nothing in the panel, the review and the rewind of one file", async ({ startWithModel }) => {
  const parley = await startWithModel({
    settings: { permissionMode: "work" },
    files: { "notes.txt": "one\ntwo\n" },
  });
  await visitPanel(parley, expectNoViolations);
});

test("axe finds nothing in attachments, what a folder asks for and the form of a server", async ({
  startWithModel,
}) => {
  const parley = await startWithModel(asking);
  await visitAttached(parley, expectNoViolations);
  await visitAsked(parley, expectNoViolations);
});

test("axe finds nothing in the doctor, in what the palette finds and in the keys", async ({
  startWithModel,
}) => {
  await visitSheets(await startWithModel(), expectNoViolations);
});

test("axe finds nothing in the settings, the menus and the sheets", async ({ startWithModel }) => {
  const { page } = await startWithModel({ settings: { firstRun: true } });
  await expect(page.getByTestId("set-up")).toBeVisible();
  await expectNoViolations(page, "first start");
  await page.getByTestId("set-up-skip").click();

  for (const menu of ["model", "working-folder", "attach"]) {
    await page.getByTestId(menu).first().click();
    await expectNoViolations(page, `${menu} menu`);
    await page.keyboard.press("Escape");
  }
  await send(page, "find me");
  await page.keyboard.press("Control+f");
  await expectNoViolations(page, "find");
  await page.keyboard.press("Escape");
  await page.getByTestId("conversation-menu").first().click();
  await expectNoViolations(page, "row menu");
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+,");
  const sections = page.getByTestId("settings-section");
  await expect(sections.first()).toBeVisible();
  for (const section of await sections.all()) {
    await section.click();
    await expectNoViolations(page, `settings, ${await section.textContent()}`);
  }
  await page.getByTestId("settings-search").fill("voice");
  await expectNoViolations(page, "settings, found");
  await page.keyboard.press("Escape");
});

test("axe finds nothing in a meeting", async ({ startWithModel, model }) => {
  const { page } = await startWithModel({ seed: seedMeeting });
  await page.getByText("Standup, Tuesday").first().click();
  await expectNoViolations(page, "strip");
  await page.getByTestId("meeting-open").click();
  await expect(page.getByTestId("meeting-line").first()).toBeVisible();
  model.answerUnmarked('[[script:text {"text":"The release is out [09:39:00]"}]]');
  await page.getByTestId("meeting-summarise").click();
  await expect(page.getByTestId("meeting-summary").getByRole("button")).toHaveCount(1);
  await expectNoViolations(page, "meeting");
  await page.keyboard.press("Control+.");
  await expect(page.getByTestId("panel-sheet").getByTestId("meeting-section")).toBeVisible();
  await expectNoViolations(page, "meeting with the panel");
});
