import { hearing, listen, test } from "../support/heard.ts";
import { openQuick } from "../support/launch.ts";
import { expect, replies, send } from "../support/test.ts";

test("a microphone that gives nothing is told of with the list of microphones, until there is sound", async ({
  startWithModel,
  heard,
}) => {
  const { page } = await startWithModel({ settings: hearing(heard) });
  const bar = page.getByRole("region", { name: "Voice", exact: true });
  const problem = "No sound comes from Desk: it may be muted.";
  await listen(page);
  await expect(bar).toContainText("Speak whenever you like.");
  heard.tell("device_changed", { device_id: "desk", device_name: "Desk", fallback: false });
  heard.tell("no_sound", { system_muted: false });
  await expect(bar).toContainText(problem);
  await expect(bar).toContainText("Check its mute switch");
  await expect(bar).not.toContainText("Speak whenever you like.");
  await expect(page.locator("[aria-live]").filter({ hasText: problem })).toHaveCount(1);
  await bar.getByRole("button", { name: "Choose a microphone" }).click();
  await expect(page.getByTestId("voice-menu").getByTestId("menu-microphone").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("voice-menu")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+Shift+KeyL");
  await expect(page.getByTestId("panel-quiet")).toHaveText(problem);
  await send(page, "/voice status");
  await expect(page.getByTestId("transcript")).toContainText(problem);
  await bar.getByRole("button", { name: "Mute", exact: true }).click();
  await expect(bar).toContainText("Muted. Nothing you say is kept or sent.");
  await expect(bar).not.toContainText(problem);
  await bar.getByRole("button", { name: "Unmute" }).click();
  await expect(bar).toContainText(problem);
  heard.tell("sound");
  await expect(bar).toContainText("Speak whenever you like.");
  await expect(page.getByTestId("choose-microphone")).toHaveCount(0);
  heard.tell("no_sound", { system_muted: true });
  await expect(bar).toContainText("Desk is muted in the system.");
  heard.say("What is the time?");
  await expect(replies(page)).toHaveCount(1);
  await expect(bar).toContainText("Speak whenever you like.");
});

test("the quick prompt says that nothing comes from the microphone", async ({ startWithModel, heard }) => {
  const { app } = await startWithModel({ settings: hearing(heard) });
  const quick = await openQuick(app);
  await quick.getByTestId("quick-mic").click();
  await expect.poll(() => heard.isListening()).toBe(true);
  heard.tell("no_sound", { system_muted: false });
  await expect(quick.getByText("No sound comes from the microphone: it may be muted.").first()).toBeVisible();
});
