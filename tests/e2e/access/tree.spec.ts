import type { Page } from "playwright/test";
import { expect, press, replies, send, test } from "../support/test.ts";

const asking = `
- log "Conversation":
  - article "You":
    - text: /change it/
    - button "Edit"
    - button "Rewind to before this"
    - button "Copy"
    - time: /\\d+:\\d+/
  - button /Done Read notes\\.txt 2 lines/:
    - img "Done"
    - text: Read
    - code: notes.txt
  - 'region "Needs approval: Make this change?"':
    - text: Needs approval Make this change?
    - time: /Waiting/
    - group "Changes":
      - code: notes.txt
      - text: +1 −1 1 one 2 - two 2 + 2
    - button "Allow once"
    - button "Allow edits in this folder"
    - button "More answers"
    - button "Deny"
`;

const failed = `
- log "Conversation":
  - button /Done Edited notes\\.txt allowed once \\+1 −1/:
    - img "Done"
  - article "Parley":
    - paragraph: /Results/
  - button "Speak"
  - button "Regenerate"
  - article "You":
    - text: /fail/
  - paragraph: "Error: The request was refused: Not like this."
  - paragraph: Change the prompt, the model or the settings, then try again.
  - button "Retry"
`;

/** In order, as one text: how a reply is cut into sentences is not the question here. */
const told = {
  polite: "Working Results: 1→one 2→two Changed notes.txt (line 2). Reply finished Working",
  assertive: [
    "Needs approval: Make this change? notes.txt: 1 line added, 1 removed.",
    "Error: The request was refused: Not like this. Change the prompt, the model or the settings, then try again.",
  ].join(" "),
};

/** What of the page a screen reader can reach now. */
async function reachable(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes.flatMap(({ ignored, name }) => (ignored || !name ? [] : [String(name.value)]));
}

test("what a screen reader finds in a conversation with a tool, an approval and an error, and what it is told of them", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel({ files: { "notes.txt": "one\ntwo\n" } });
  const calls = [
    { name: "read_file", input: { path: "notes.txt" } },
    { name: "edit_file", input: { path: "notes.txt", old_string: "two", new_string: "2" } },
  ];
  await send(page, `change it [[script:tools ${JSON.stringify({ calls })}]]`);
  const card = page.locator('[data-testid="approval"][data-status="waiting"]');
  await expect(card).toHaveCount(1);
  await expect(page.locator("body")).toMatchAriaSnapshot(asking);
  await expect(page).toHaveTitle(/^Needs approval · /);
  await press(card.getByRole("button", { name: /Allow once/ }));
  await expect(replies(page)).toHaveCount(1);
  const times = -1;
  await send(
    page,
    `fail [[script:status ${JSON.stringify({ code: 400, message: "Not like this.", times })}]]`,
  );
  await expect(page.getByTestId("error-card")).toHaveCount(1);
  await expect(page.locator("body")).toMatchAriaSnapshot(failed);
  for (const [live, text] of Object.entries(told)) {
    const lines = page.locator(`[data-announced=${live}] p`);
    await expect.poll(async () => (await lines.allTextContents()).join(" ")).toBe(text);
  }

  // Bug: whatever happened while a dialog was open, nobody was told of it.
  await send(page, `go on [[script:text ${JSON.stringify({ words: 4, hold: "here", at: 2 })}]]`);
  await model.held("here");
  await page.keyboard.press("Control+k");
  await expect(page.getByTestId("palette")).toBeVisible();
  await expect.poll(() => reachable(page)).not.toContain("Message");
  model.release("here");
  await expect.poll(() => reachable(page)).toContain("Reply finished");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("palette")).toHaveCount(0);
  await expect.poll(() => reachable(page)).toContain("Message");
  // Behind it nothing is told a second time.
  await expect(page.locator("[data-announced] p")).toHaveCount(0);
});
