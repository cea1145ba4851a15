import type { AudioRequest, SttDevice } from "../../shared/stt.ts";
import { frameSamples, sampleRateHz } from "../../shared/stt.ts";
import captureWorklet from "./capture-worklet.ts?worker&url";

type OpenRequest = Extract<AudioRequest, { type: "open" }>;

export interface Microphone {
  deviceId: string;
  deviceName: string;
  close(): void;
}

export interface MicrophoneEvents {
  /** `pcm`: 512 samples, 16-bit, 16 kHz, mono; `sampleIndex` counts from the stream's first sample. */
  onFrame(frame: { sampleIndex: number; pcm: Int16Array<ArrayBuffer> }): void;
  /** The device went away (unplugged, taken by the system). No more frames follow. */
  onLost(): void;
}

const voiceConstraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };

/**
 * Opens a microphone and sends its frames until closed.
 * @throws DOMException as getUserMedia does: NotFoundError, NotAllowedError, NotReadableError, …
 */
export async function openMicrophone(request: OpenRequest, events: MicrophoneEvents): Promise<Microphone> {
  const deviceId = await resolveDevice(request);
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: {
      ...(request.constraints ?? voiceConstraints),
      channelCount: 1,
      ...(deviceId === undefined ? {} : { deviceId: { exact: deviceId } }),
    },
  });
  const [track] = stream.getAudioTracks();
  if (!track) throw new DOMException("The device has no audio track.", "NotFoundError");
  // The context resamples whatever the device delivers.
  const context = new AudioContext({ sampleRate: sampleRateHz });
  let open = true;
  const close = () => {
    open = false;
    track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(captureWorklet);
    await context.resume();
  } catch (error) {
    close();
    throw error;
  }
  const capture = new AudioWorkletNode(context, "capture", {
    numberOfOutputs: 0,
    processorOptions: { frameSamples },
  });
  capture.port.onmessage = ({ data }) => {
    if (open) events.onFrame(data);
  };
  context.createMediaStreamSource(stream).connect(capture);
  track.onended = () => {
    if (!open) return;
    close();
    events.onLost();
  };
  return { deviceId: track.getSettings().deviceId ?? "default", deviceName: track.label, close };
}

/** The capture devices; names are empty until the microphone was allowed once, which Parley's own page is. */
export async function listMicrophones(): Promise<SttDevice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const capture = devices.filter((device) => device.kind === "audioinput");
  const first = capture[0]?.deviceId;
  const fallback = capture.some((device) => device.deviceId === "default") ? "default" : first;
  return capture.map((device) => ({
    id: device.deviceId,
    name: device.label,
    is_default: device.deviceId === fallback,
  }));
}

/** An exact id, else the first device whose name contains the given part, any case; none given: the default. */
async function resolveDevice(request: OpenRequest): Promise<string | undefined> {
  if (request.deviceId !== undefined) return request.deviceId;
  if (request.deviceName === undefined) return undefined;
  const wanted = request.deviceName.toLowerCase();
  const devices = await listMicrophones();
  const match = devices.find((device) => device.name.toLowerCase().includes(wanted));
  if (match) return match.id;
  const names = devices.map((device) => `“${device.name}”`).join(", ") || "none";
  throw new DOMException(
    `No microphone's name contains “${request.deviceName}”. There are: ${names}.`,
    "NotFoundError",
  );
}
