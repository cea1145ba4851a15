import { openFlite } from "../../../electron/voice/tts/flite.ts";
import { fakeMicrophone, silence, writeWav } from "../support/machine/audio.ts";
import { expect, replies, send, test, voiceState } from "../support/test.ts";

/** By another voice than Parley's, with a pause behind each sentence. */
async function microphone(...sentences: string[]): Promise<string[]> {
  const voice = await openFlite("rms");
  const parts = [silence(2_500)];
  for (const sentence of sentences) {
    const { pcm } = await voice.synthesise(sentence, 1);
    parts.push(
      Array.from(pcm, (sample) => sample / 0x8000),
      silence(3_000),
    );
  }
  return fakeMicrophone(writeWav(...parts, silence(60_000)));
}

test("a new conversation, one by its title, the list of words, and the end of listening, all by voice alone", async ({
  startWithModel,
  model,
}) => {
  const switches = await microphone(
    "New conversation.",
    "Go to the conversation about the house.",
    "What can I say?",
    "Stop listening.",
  );
  const { page } = await startWithModel({ switches });
  await send(page, "about the house");
  await expect(replies(page)).toHaveCount(1);
  const title = page.getByTestId("title");
  await expect(title).toHaveText("about the house");
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();

  await expect(title).not.toHaveText("about the house");
  await expect(page.getByTestId("message-user")).toHaveCount(0);
  await expect(title).toHaveText("about the house");
  await expect(replies(page)).toHaveCount(1);
  const spoken = page.getByTestId("spoken");
  await expect(spoken).toHaveAttribute("open", "");
  await expect(spoken).toContainText("“new conversation”");
  await expect(spoken.locator("summary")).toBeInViewport();
  await expect(voiceState(page, "off")).toBeAttached();
  await expect(page.getByTestId("voice-entries")).toContainText("A spoken command");
  // None of it was a prompt.
  expect(model.requests).toHaveLength(1);
});
