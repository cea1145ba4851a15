import { setTimeout as wait } from "node:timers/promises";
import { clipSamples, silence, writeWav } from "../../e2e/support/machine/audio.ts";
import { familyOf, kindOf, sharedOutMb } from "../../e2e/support/machine/process-family.ts";
import { startApp, voiceIs } from "../voice/app.ts";

/** Long enough for what a start or a stop left to be cleared away. */
const settledMs = 30_000;

/** How much more memory Parley has 30 s after voice was stopped than before it was first started, in MB. */
export async function voiceLeftMb(tell: (line: string) => void): Promise<number> {
  const app = await startApp();
  const measured = (name: string) => {
    const { pid } = app.parley.app.process();
    if (pid === undefined) throw new Error("The app has no process.");
    const family = familyOf(pid);
    const mb = sharedOutMb(family);
    tell(`${name}: ${mb} MB (${family.map((one) => `${kindOf(one)} ${sharedOutMb([one])}`).join(", ")})`);
    return mb;
  };
  await wait(settledMs);
  const before = measured("before voice");
  const from = app.events.length;
  const path = writeWav(clipSamples("jfk"), silence(2500));
  await app.send(`/voice start file ${path}`);
  await app.next(from, (event) => (event.type === "voice.utterance" ? event : undefined));
  measured("with voice");
  await app.send("/voice stop");
  await app.next(from, voiceIs("off"));
  await wait(settledMs);
  const after = measured("30 s after voice");
  await app.close();
  return Math.round((after - before) * 10) / 10;
}
