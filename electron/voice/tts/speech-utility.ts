import { messageData } from "../../../shared/port-transport.ts";
import {
  embeddedVoice,
  modelsVariable,
  type SamplePort,
  type SpeechSamples,
  speechRequest,
} from "../../../shared/voice/speech.ts";
import { openFlite } from "./flite.ts";
import { openVoice } from "./open-voice.ts";
import { SpeechGenerator } from "./speech-generator.ts";

/**
 * Parley's own voice as a utility process: its parent orders sentences, and hands over the audio window's port, which
 * the samples go to.
 */
const parent: unknown = Reflect.get(process, "parentPort");
if (!isPort(parent)) throw new Error("This runs as an Electron utility process only.");
serve(parent);

interface ParentPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: unknown) => void): unknown;
}

function serve(parent: ParentPort): void {
  let audio: SamplePort | null = null;
  /** Made before there was a way to the window. */
  let unsent: SpeechSamples[] = [];
  const maker = new SpeechGenerator({
    open: (voice, language) => openVoice(voice, process.env[modelsVariable] ?? "", language),
    send: (samples) => void (audio ? audio.postMessage(samples) : unsent.push(samples)),
    fail: ({ turn, id }, error) => parent.postMessage({ type: "failed", turn, id, message: inWords(error) }),
    fallback: embeddedVoice,
    onFallback: ({ turn, id }, error) =>
      parent.postMessage({ type: "other_voice", turn, id, message: inWords(error) }),
  });
  // The first sentence is waited for: what it needs is loaded by then.
  openFlite(embeddedVoice)
    .then((voice) => voice.synthesise("Ready.", 1))
    .catch(console.error);
  parent.on("message", (event) => {
    const request = speechRequest.parse(messageData(event));
    if (request.type === "make") maker.make(request);
    else if (request.type === "cancel") maker.cancel(request.turn);
    else if (request.type === "quit") process.exit(0);
    else {
      audio = portOf(event);
      for (const samples of unsent) audio.postMessage(samples);
      unsent = [];
    }
  });
}

const inWords = (error: unknown) => (error instanceof Error ? error.message : String(error));

function portOf(event: unknown): SamplePort {
  const ports = typeof event === "object" && event !== null && "ports" in event ? event.ports : [];
  const port: unknown = Array.isArray(ports) ? ports[0] : undefined;
  if (!isPort(port)) throw new Error("The message came without a port.");
  return port;
}

function isPort(value: unknown): value is ParentPort & SamplePort {
  return (
    typeof value === "object" && value !== null && typeof Reflect.get(value, "postMessage") === "function"
  );
}
