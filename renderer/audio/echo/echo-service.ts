import { GainControl } from "../../../shared/voice/gain-control.ts";
import type { Frame, FromEchoWorker, ToEchoWorker } from "./echo-messages.ts";
import { type HeardFrame, MicSelector } from "./mic-selector.ts";
import { NearSpeech } from "./near-speech.ts";
import { stepMs, stepSamples } from "./spectrum.ts";
import { KnownEcho, type Over, SpokenOverFrames } from "./spoken-over.ts";

/** The worker that it runs in: messages of the page come in their order. */
export interface EchoWorkerScope {
  postMessage(event: FromEchoWorker, options: { transfer: Transferable[] }): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToEchoWorker>) => void): void;
}

interface Microphone {
  selector: MicSelector;
  gain: GainControl;
  over: SpokenOverFrames;
  echo: KnownEcho;
}

/** The echo worker's work. */
export function serveEcho(scope: EchoWorkerScope): void {
  const near = new NearSpeech();
  const microphones = new Map<number, Microphone>();
  /** Of each device that was heard: what is learned of its echo outlives the microphone that is closed. */
  const echoes = new Map<string, KnownEcho>();
  /** What is being said, and whether it has made way. */
  const reply = { isPlaying: false, isPaused: false };

  /** @returns what is known of the echo in this device, unless another microphone hears it at present */
  const echoIn = (device: string): KnownEcho => {
    const known = echoes.get(device);
    const isInUse = [...microphones.values()].some(({ echo }) => echo === known);
    if (known && !isInUse) return known;
    const echo = new KnownEcho();
    if (!known) echoes.set(device, echo);
    return echo;
  };

  const opened = (device: string): Microphone => {
    const gain = new GainControl();
    const listener = {
      get path() {
        return near.path;
      },
      // The browser sets the loudness of what is behind its echo cancellation alone.
      cleaned: (pcm: Frame) => gain.amplified(near.cleaned(pcm)),
    };
    const echo = echoIn(device);
    const over = new SpokenOverFrames(echo);
    over.sounds(reply.isPlaying && !reply.isPaused);
    return { selector: new MicSelector(listener), gain, over, echo };
  };

  const post = (event: FromEchoWorker) =>
    scope.postMessage(event, { transfer: "pcm" in event ? [event.pcm.buffer] : [] });
  const postOver = (microphone: number, all: readonly Over[]) => {
    for (const over of all) post({ type: "over", microphone, ...over });
  };
  const tellSounds = (now: Partial<typeof reply>) => {
    Object.assign(reply, now);
    for (const { over } of microphones.values()) over.sounds(reply.isPlaying && !reply.isPaused);
  };
  const postAll = (microphone: number, heard: readonly HeardFrame[] = []) => {
    // Copies: what is sent is gone here, and a frame may be looked at again.
    for (const { pcm, settled } of heard) post({ type: "frame", microphone, pcm: pcm.slice(), settled });
  };

  const serve = (request: ToEchoWorker) => {
    switch (request.type) {
      case "played":
        for (const [id, { over }] of microphones) postOver(id, over.played(request.samples, request.at));
        near.played(request.samples.subarray(0, stepSamples), request.at - stepMs);
        return near.played(request.samples.subarray(stepSamples), request.at);
      case "playing":
        tellSounds({ isPlaying: request.isPlaying, ...(!request.isPlaying && { isPaused: false }) });
        return near.playing(request.isPlaying);
      case "paused":
        tellSounds({ isPaused: request.isPaused });
        return near.paused(request.isPaused);
      case "open":
        return void microphones.set(request.microphone, opened(request.device));
      case "devices_changed":
        // Another loudspeaker has another echo; what is being heard learns by itself.
        return echoes.clear();
      case "aec": {
        const microphone = microphones.get(request.microphone);
        if (!microphone) return;
        postOver(request.microphone, microphone.over.aec(request.pcm));
        return postAll(request.microphone, microphone.selector.aec(request.pcm));
      }
      case "raw": {
        const microphone = microphones.get(request.microphone);
        if (!microphone) return;
        if (near.add(request.pcm, request.at)) post({ type: "near_speech" });
        // The echo is loud in it, too: what is left of it after cleaning is not made louder than it was.
        const { gain, over } = microphone;
        gain.follow(request.pcm);
        postOver(
          request.microphone,
          over.raw(request.pcm, request.at, (pcm) => gain.amplified(pcm)),
        );
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
