import { frameSamples, sampleRateHz } from "../../shared/voice/stt.ts";
import type { CaptureEvents } from "./capture-events.ts";
import captureWorklet from "./capture-worklet.ts?worker&url";

/** A device that is being heard. */
export interface Capture {
  deviceId: string;
  deviceName: string;
  /** Lets go of the device at once. Done when the last frame was passed on. */
  close(): Promise<void>;
}

/** Sends the frames of a stream's sound until closed. @throws DOMException `NotFoundError` where it has none */
export async function capture(stream: MediaStream, events: CaptureEvents): Promise<Capture> {
  const [track] = stream.getAudioTracks();
  const stop = () => {
    for (const one of stream.getTracks()) one.stop();
  };
  if (!track) {
    stop();
    throw new DOMException("The device has no audio track.", "NotFoundError");
  }
  // The context resamples whatever the device delivers.
  const context = new AudioContext({ sampleRate: sampleRateHz });
  let open = true;
  const close = async () => {
    // Closed by whoever listens, though the device's end has closed it already.
    if (!open) return;
    open = false;
    stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(captureWorklet);
    await context.resume();
  } catch (error) {
    void close();
    throw error;
  }
  const node = new AudioWorkletNode(context, "capture", {
    numberOfOutputs: 0,
    // Whatever the device has: the sound of a computer is stereo.
    channelCount: 1,
    channelCountMode: "explicit",
    processorOptions: { frameSamples },
  });
  node.port.onmessage = ({ data }) => {
    if (open) events.onFrame(data);
  };
  context.createMediaStreamSource(stream).connect(node);
  track.onmute = () => events.onMuted?.(true);
  track.onunmute = () => events.onMuted?.(false);
  if (track.muted) events.onMuted?.(true);
  track.onended = () => {
    if (!open) return;
    void close();
    events.onLost();
  };
  return { deviceId: track.getSettings().deviceId ?? "default", deviceName: track.label, close };
}
