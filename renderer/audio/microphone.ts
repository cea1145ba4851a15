import { isUnderFloor } from "../../shared/voice/sound-floor.ts";
import { type AudioRequest, frameMs, type SttDevice } from "../../shared/voice/stt.ts";
import { type Capture, capture } from "./capture.ts";
import type { CaptureEvents } from "./capture-events.ts";
import { echoCancellationFor } from "./echo-cancellation.ts";
import type { EchoLink } from "./echo-link.ts";
import { StepClock } from "./step-clock.ts";

type OpenRequest = Extract<AudioRequest, { type: "open" }>;

/** Noise suppression costs words beside any noise and without one: docs/voice.md, "What is misheard". */
const voiceConstraints = { noiseSuppression: false, autoGainControl: true };
const rawConstraints = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/**
 * Opens a microphone and sends its frames, as the echo worker chooses them, until closed.
 * @throws DOMException as getUserMedia does: NotFoundError, NotAllowedError, NotReadableError, …
 */
export async function openMicrophone(
  echo: EchoLink,
  request: OpenRequest,
  events: CaptureEvents,
): Promise<Capture> {
  const deviceId = await resolveDevice(request);
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: {
      ...(request.constraints ?? {
        ...voiceConstraints,
        echoCancellation: echoCancellationFor(await capabilitiesOf(deviceId)),
      }),
      channelCount: 1,
      ...(deviceId === undefined ? {} : { deviceId: { exact: deviceId } }),
    },
  });
  // As it sounds: gain control makes the noise of a dead microphone as loud as that of a room.
  let isSilent: boolean | undefined;
  const chosen = echo.open(nameOf(stream), {
    ...events,
    onFrame: (frame) => events.onFrame({ ...frame, ...(isSilent !== undefined && { isSilent }) }),
  });
  const microphone = await capture(stream, chosen).catch((error: unknown) => {
    void chosen.end();
    throw error;
  });
  // Where the system gives a device to one listener only, speech is noticed later.
  const near = openRawMic(
    microphone.deviceId,
    (pcm, at) => {
      isSilent = isUnderFloor(pcm);
      chosen.raw(pcm, at);
    },
    () => {
      isSilent = undefined;
    },
  ).catch(() => null);
  return {
    ...microphone,
    close: async () => {
      void near.then((raw) => raw?.close());
      await microphone.close();
      await chosen.end();
    },
  };
}

/** Tells one device from another. */
function nameOf(stream: MediaStream): string {
  const [track] = stream.getAudioTracks();
  return `${track?.getSettings().deviceId} ${track?.label}`;
}

/** @returns undefined where the browser does not say */
async function capabilitiesOf(deviceId: string | undefined): Promise<MediaTrackCapabilities | undefined> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const inputs = devices.filter((device) => device instanceof InputDeviceInfo);
  const device = inputs.find((input) => input.deviceId === (deviceId ?? "default")) ?? inputs[0];
  return device?.getCapabilities();
}

/**
 * Listens to a microphone that is open already a second time, as it sounds.
 * @param onFrame is given each frame of it, and when it was there, in milliseconds
 */
async function openRawMic(
  deviceId: string,
  onFrame: (pcm: Int16Array<ArrayBuffer>, at: number) => void,
  onLost: () => void,
): Promise<Capture> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { ...rawConstraints, channelCount: 1, deviceId: { exact: deviceId } },
  });
  const clock = new StepClock(frameMs);
  return await capture(stream, {
    onFrame: ({ pcm }) => onFrame(pcm, clock.next(performance.now())),
    onLost,
  });
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
    `No microphone's name contains “${request.deviceName}”. The microphones are: ${names}.`,
    "NotFoundError",
  );
}
