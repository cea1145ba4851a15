import { join, resolve } from "node:path";
import { inState, openList } from "../e2e/support/server-list.ts";
import { expect, replies, send } from "../e2e/support/test.ts";
import { project, script } from "./release-notes.ts";
import { now, picture, test } from "./stage.ts";

const root = resolve(import.meta.dirname, "../..");
const event = (seq: number, type: string, rest: object) => ({
  ...{ seq, type, timestamp_utc: new Date(now).toISOString() },
  ...rest,
});

/** A speech server that heard a prompt, and hears the next one: it says the same each time. */
const heard = {
  canWait: true,
  saysItListens: true,
  updates: [
    { events: [event(1, "utterance_final", { text: "read me the first lines", confidence: 0.97 })] },
    {
      events: [
        event(2, "utterance_partial", {
          text: "and mention that the tray icon now shows when it is waiting",
          utterance_id: "u2",
        }),
      ],
    },
  ],
};
const whisper = {
  command: process.execPath,
  args: ["--import", "tsx", join(root, "tests/fakes/stt/scripted-stt-server.ts")],
  cwd: root,
  env: { STT_SCRIPT: JSON.stringify(heard) },
};

const spoken = {
  ...project,
  settings: { ...project.settings, mcpServers: { whisper }, "voice.server": "whisper" },
};

test("listening", async ({ open, model }) => {
  const parley = await open({ ...spoken, settings: { ...spoken.settings, "voice.speak": "never" } });
  const { page } = parley;
  // Before it runs, voice would say that there is no such server.
  await openList(page);
  await inState(page, "whisper", "ready");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("servers")).toBeHidden();
  model.answerUnmarked(script("text", { text: "Version 2.4 keeps the last words you say when you stop." }));
  await send(page, "What is new in 2.4?");
  await expect(replies(page)).toHaveCount(1);
  await page.getByTestId("mic").click();
  await expect(page.getByTestId("partial")).toContainText("waiting");
  await picture(parley, "listening");
  await page.keyboard.press("Control+Shift+L");
  await expect(page.getByTestId("voice-panel")).toBeVisible();
  await expect(page.getByTestId("voice-panel")).not.toContainText("There is no MCP server");
  await picture(parley, "voice-panel");
});

test("speaking", async ({ open, model, soundEnv }) => {
  const parley = await open({
    ...project,
    env: soundEnv,
    settings: { ...project.settings, "voice.speak": "always", "voice.spokenLength": "whole" },
  });
  const { page } = parley;
  const sentences = [
    "Before a prompt runs, Parley keeps a copy of each file that it may touch.",
    "Rewind puts those copies back, and it shows you first what will change.",
    "What other programs changed in the meantime stays as it is, unless you say otherwise.",
    "The conversation itself is kept as a branch, so you can always return.",
  ];
  model.answerUnmarked(script("text", { text: sentences.join(" ") }));
  await send(page, "Wait, how does that rewind work?");
  await expect(page.locator('[data-testid="speech-state"][data-state="speaking"]')).toBeAttached();
  await picture(parley, "speaking");
});
