import { type Capture, capture } from "./capture.ts";
import type { CaptureEvents } from "./capture-events.ts";

/** The voice chain of a microphone would take music and other voices for noise and echo. */
const plainSound = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/**
 * Hears what the computer plays: a share of the screen, which main grants without asking, whose picture nobody looks
 * at. It stays open, since the system ends the sound with it.
 * @throws DOMException as getDisplayMedia does; `NotFoundError` where the system gives no sound
 */
export async function openLoopback(events: CaptureEvents): Promise<Capture> {
  const stream = await navigator.mediaDevices.getDisplayMedia({
    audio: plainSound,
    video: { width: 1, height: 1, frameRate: 1 },
  });
  const { deviceId, close } = await capture(stream, events);
  return { deviceId, deviceName: "System sound", close };
}
