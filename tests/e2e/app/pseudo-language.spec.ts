import type { ElectronApplication, Page } from "playwright/test";
import { openQuick } from "../support/launch.ts";
import { seedMeeting } from "../support/seeded-meeting.ts";
import { expect, test } from "../support/test.ts";
import { clipped, hardWired } from "../support/window-language.ts";
import { resize, visitQuick, visitStates } from "../support/window-states.ts";

/** Loads a window's page anew, with all its texts in a language that is longer, accented and in brackets. */
async function speakPseudo(app: ElectronApplication, page: Page): Promise<void> {
  const url = `${page.url()}?language=pseudo`;
  // The end of the first loading must not be taken for the end of the second.
  await page.waitForLoadState("load");
  const loaded = page.waitForURL(url);
  await app.evaluate(({ BrowserWindow }, address) => {
    const [shown] = address.split("?");
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL() === shown);
    void window?.loadURL(address);
  }, url);
  await loaded;
  await page.getByTestId("composer").waitFor();
}

for (const width of [1280, 420])
  test(`at ${width} pixels no text is hard-wired, and none of a longer language is cut off`, async ({
    startWithModel,
    model,
  }) => {
    const parley = await startWithModel({ files: { "notes.txt": "one\ntwo\n" } });
    await speakPseudo(parley.app, parley.page);
    await resize(parley, width);
    const look = async (page: Page, state: string) => {
      const found = { hardWired: await hardWired(page), clipped: await clipped(page) };
      expect.soft(found, state).toEqual({ hardWired: [], clipped: [] });
    };
    await visitStates(parley, model, look);
    const quick = await openQuick(parley.app);
    await speakPseudo(parley.app, quick);
    await visitQuick(quick, look);
  });

// Without the list of conversations, which the test above looks at.
for (const width of [740, 420])
  test(`at ${width} pixels nothing of a meeting's page is hard-wired or cut off`, async ({
    startWithModel,
    model,
  }) => {
    // What is said has no letters: it would be taken for a text of the window.
    const said = [
      ["me", 0, "1 2 3"],
      ["me", 5, "4 5 6"],
    ] as const;
    const parley = await startWithModel({ seed: (folder) => seedMeeting(folder, said) });
    const { page } = parley;
    await page.getByText("Standup, Tuesday").first().click();
    await expect(page.getByTestId("said")).toHaveCount(2);
    await speakPseudo(parley.app, page);
    await resize(parley, width);
    const look = async (state: string) => {
      const found = { hardWired: await hardWired(page), clipped: await clipped(page) };
      expect.soft(found, state).toEqual({ hardWired: [], clipped: [] });
    };
    await look("strip");
    await page.getByTestId("meeting-open").click();
    await expect(page.getByTestId("meeting-line")).toHaveCount(2);
    await page.getByTestId("meeting-find").fill("4");
    await look("words");
    model.answerUnmarked('[[script:text {"text":"1 [09:32:00]"}]]');
    const notes = page.locator("[data-meeting-tab=notes]");
    await notes.click();
    await page.getByTestId("meeting-summarise").click();
    await expect(page.getByTestId("meeting-summary").getByRole("button")).toHaveCount(1);
    await look("notes");
  });
