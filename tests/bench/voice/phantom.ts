import { writeWav } from "../../e2e/support/machine/audio.ts";
import { startApp, voiceIs } from "./app.ts";
import { nobodySpeaks } from "./noises.ts";
import type { Part } from "./part.ts";

const minutes = 10;

/** Prompts that come of ten minutes in which nobody speaks: silence, noises and music, played as fast as they go. */
export const phantom: Part = async ({ tell }) => {
  const app = await startApp();
  const from = app.events.length;
  await app.send(`/voice start file ${writeWav(nobodySpeaks(minutes))} fast`);
  await app.next(from, voiceIs("off"));
  const heard = app.events.slice(from).flatMap((event) => (event.type === "voice.utterance" ? [event] : []));
  for (const { text, rule } of heard) tell(`heard “${text}”${rule === undefined ? "" : `, ${rule}`}`);
  const prompts = app.events.slice(from).filter((event) => event.type === "input.queued");
  await app.close();
  return { phantomPrompts: prompts.length };
};
