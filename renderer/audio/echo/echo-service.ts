import type { FromEchoWorker, ToEchoWorker } from "./echo-messages.ts";
import { MicSelector } from "./mic-selector.ts";
import { NearSpeech } from "./near-speech.ts";
import { stepMs, stepSamples } from "./spectrum.ts";

/** The echo worker's work. @param post takes what is answered @returns what takes the page's messages, in their order */
export function echoService(post: (event: FromEchoWorker) => void): (request: ToEchoWorker) => void {
  const near = new NearSpeech();
  const microphones = new Map<number, MicSelector>();

  const select = (microphone: number) =>
    // A copy: what is sent is gone here, and this frame may be looked at again.
    new MicSelector(near, (pcm, settled) => post({ type: "frame", microphone, pcm: pcm.slice(), settled }));

  return (request) => {
    switch (request.type) {
      case "played":
        near.played(request.samples.subarray(0, stepSamples), request.at - stepMs);
        return near.played(request.samples.subarray(stepSamples), request.at);
      case "playing":
        return near.playing(request.isPlaying);
      case "paused":
        return near.paused(request.isPaused);
      case "open":
        return void microphones.set(request.microphone, select(request.microphone));
      case "aec":
        return microphones.get(request.microphone)?.aec(request.pcm);
      case "raw": {
        const selector = microphones.get(request.microphone);
        if (selector && near.add(request.pcm, request.at)) post({ type: "near_speech" });
        return selector?.raw(request.pcm);
      }
      case "end":
        microphones.get(request.microphone)?.end();
        microphones.delete(request.microphone);
        return post({ type: "ended", microphone: request.microphone });
    }
  };
}
