import { GainControl } from "../../../shared/voice/gain-control.ts";
import type { Frame, FromEchoWorker, ToEchoWorker } from "./echo-messages.ts";
import { MicSelector } from "./mic-selector.ts";
import { NearSpeech } from "./near-speech.ts";
import { stepMs, stepSamples } from "./spectrum.ts";

/** The echo worker's work. @param post takes what is answered @returns what takes the page's messages, in their order */
export function echoService(post: (event: FromEchoWorker) => void): (request: ToEchoWorker) => void {
  const near = new NearSpeech();
  const microphones = new Map<number, { selector: MicSelector; gain: GainControl }>();

  const opened = (microphone: number) => {
    const gain = new GainControl();
    const listener = {
      get path() {
        return near.path;
      },
      // The browser sets the loudness of what is behind its echo cancellation alone.
      cleaned: (pcm: Frame) => gain.amplified(near.cleaned(pcm)),
    };
    const selector = new MicSelector(listener, (pcm, settled) =>
      // A copy: what is sent is gone here, and this frame may be looked at again.
      post({ type: "frame", microphone, pcm: pcm.slice(), settled }),
    );
    return { selector, gain };
  };

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
        return void microphones.set(request.microphone, opened(request.microphone));
      case "aec":
        return microphones.get(request.microphone)?.selector.aec(request.pcm);
      case "raw": {
        const microphone = microphones.get(request.microphone);
        if (!microphone) return;
        if (near.add(request.pcm, request.at)) post({ type: "near_speech" });
        // The echo is loud in it, too: what is left of it after cleaning is not made louder than it was.
        microphone.gain.follow(request.pcm);
        return microphone.selector.raw(request.pcm);
      }
      case "end":
        microphones.get(request.microphone)?.selector.end();
        microphones.delete(request.microphone);
        return post({ type: "ended", microphone: request.microphone });
    }
  };
}
