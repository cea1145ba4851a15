import type { AudioRequest, SttDevice } from "../../shared/voice/stt.ts";
import { type Capture, type CaptureEvents, capture } from "./capture.ts";
import { MicSelector } from "./mic-selector.ts";
import { nearSpeech, openRawMic } from "./near-speech.ts";

type OpenRequest = Extract<AudioRequest, { type: "open" }>;

const voiceConstraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };

/**
 * Opens a microphone and sends its frames until closed.
 * @throws DOMException as getUserMedia does: NotFoundError, NotAllowedError, NotReadableError, …
 */
export async function openMicrophone(request: OpenRequest, events: CaptureEvents): Promise<Capture> {
  const deviceId = await resolveDevice(request);
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: {
      ...(request.constraints ?? voiceConstraints),
      channelCount: 1,
      ...(deviceId === undefined ? {} : { deviceId: { exact: deviceId } }),
    },
  });
  const selector = new MicSelector(nearSpeech, events.onFrame);
  const microphone = await capture(stream, { ...events, onFrame: ({ pcm }) => selector.aec(pcm) });
  // Where the system gives a device to one listener only, speech is noticed later.
  const near = openRawMic(microphone.deviceId, (pcm) => selector.raw(pcm)).catch(() => () => {});
  return {
    ...microphone,
    close: () => {
      selector.end();
      microphone.close();
      void near.then((close) => close());
    },
  };
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
