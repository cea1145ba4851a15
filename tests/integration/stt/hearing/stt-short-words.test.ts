import { expect, it } from "vitest";
import { VoiceActivity } from "../../../../electron/stt-server/recognisers/voice-activity.ts";
import { openFlite } from "../../../../electron/voice/tts/flite.ts";
import { frameSamples, sampleRateHz } from "../../../../shared/voice/stt.ts";

/** How often the detector takes this for speech, said again and again with `pauseSeconds` of silence before each time. */
function timesNoticed(word: Int16Array, times: number, pauseSeconds: number): number {
  const voice = new VoiceActivity();
  let noticed = 0;
  for (let time = 0; time < times; time++) {
    // At another place in its windows each time.
    const at = pauseSeconds * sampleRateHz + time * 37;
    const sound = new Int16Array(at + word.length + sampleRateHz / 2);
    sound.set(word, at);
    let isNoticed = false;
    for (let from = 0; from + frameSamples <= sound.length; from += frameSamples) {
      if (voice.accept(sound.subarray(from, from + frameSamples)).speaking) isNoticed = true;
    }
    if (isNoticed) noticed += 1;
  }
  voice.dispose();
  return noticed;
}

it("a short word is noticed as speech however long it was silent before it", async () => {
  const flite = await openFlite("rms");
  const { pcm } = await flite.synthesise("Stop.", 1);
  for (const pauseSeconds of [0.7, 1, 2, 4, 7, 10]) expect(timesNoticed(pcm, 12, pauseSeconds)).toBe(12);
});
