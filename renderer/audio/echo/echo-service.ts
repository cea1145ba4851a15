import { GainControl } from "../../../shared/voice/gain-control.ts";
import type { Frame, FromEchoWorker, ToEchoWorker } from "./echo-messages.ts";
import { type HeardFrame, MicSelector } from "./mic-selector.ts";
import { NearSpeech } from "./near-speech.ts";
import { stepMs, stepSamples } from "./spectrum.ts";

/** The worker that it runs in: messages of the page come in their order. */
export interface EchoWorkerScope {
  postMessage(event: FromEchoWorker, options: { transfer: Transferable[] }): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToEchoWorker>) => void): void;
}

/** The echo worker's work. */
export function serveEcho(scope: EchoWorkerScope): void {
  const near = new NearSpeech();
  const microphones = new Map<number, { selector: MicSelector; gain: GainControl }>();

  const opened = () => {
    const gain = new GainControl();
    const listener = {
      get path() {
        return near.path;
      },
      // The browser sets the loudness of what is behind its echo cancellation alone.
      cleaned: (pcm: Frame) => gain.amplified(near.cleaned(pcm)),
    };
    return { selector: new MicSelector(listener), gain };
  };

  const post = (event: FromEchoWorker) =>
    scope.postMessage(event, { transfer: event.type === "frame" ? [event.pcm.buffer] : [] });
  const postAll = (microphone: number, heard: readonly HeardFrame[] = []) => {
    // Copies: what is sent is gone here, and a frame may be looked at again.
    for (const { pcm, settled } of heard) post({ type: "frame", microphone, pcm: pcm.slice(), settled });
  };

  const serve = (request: ToEchoWorker) => {
    switch (request.type) {
      case "played":
        near.played(request.samples.subarray(0, stepSamples), request.at - stepMs);
        return near.played(request.samples.subarray(stepSamples), request.at);
      case "playing":
        return near.playing(request.isPlaying);
      case "paused":
        return near.paused(request.isPaused);
      case "open":
        return void microphones.set(request.microphone, opened());
      case "aec":
        return postAll(request.microphone, microphones.get(request.microphone)?.selector.aec(request.pcm));
      case "raw": {
        const microphone = microphones.get(request.microphone);
        if (!microphone) return;
        if (near.add(request.pcm, request.at)) post({ type: "near_speech" });
        // The echo is loud in it, too: what is left of it after cleaning is not made louder than it was.
        microphone.gain.follow(request.pcm);
        return postAll(request.microphone, microphone.selector.raw(request.pcm));
      }
      case "end":
        postAll(request.microphone, microphones.get(request.microphone)?.selector.end());
        microphones.delete(request.microphone);
        return post({ type: "ended", microphone: request.microphone });
    }
  };
  scope.addEventListener("message", ({ data }) => serve(data));
}
