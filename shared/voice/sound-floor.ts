/**
 * Loudness (RMS, dBFS) that a microphone which hears never stays under: in a quiet room the noise of its own is between −75
 * and −65. One that is muted gives zeros, or −85 at most.
 */
const soundFloorDb = -80;

const floor = 10 ** (soundFloorDb / 20) * 0x8000;

/** Whether samples, 16-bit, hold less than a microphone's own noise. Pure. */
export function isUnderFloor(pcm: Int16Array): boolean {
  const energy = pcm.reduce((sum, sample) => sum + sample ** 2, 0);
  return energy < floor ** 2 * pcm.length;
}
