import { type Readable, useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./LevelBars.module.css";

const shape = [0.35, 0.7, 1, 0.6, 0.85, 0.45];
const lowPx = 4;
const highPx = 22;

/** How loud it is right now. Speech is around −40 to −12 dB RMS, so the bars are on that scale, not linear. */
export function LevelBars({ level }: { level: Readable<number> }) {
  const loudness = loudnessOf(useStore(level));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <meter> cannot hold bars
    <span
      className={styles.bars}
      data-testid="level"
      data-level={loudness.toFixed(2)}
      role="meter"
      aria-label={texts.voice.inputLevel}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(loudness * 100)}
    >
      {shape.map((part) => (
        <i key={part} style={{ height: lowPx + (highPx - lowPx) * loudness * part }} />
      ))}
    </span>
  );
}

/** @param rms 0–1 @returns 0 at −60 dB and below, 1 at −12 dB and above */
export function loudnessOf(rms: number): number {
  if (!(rms > 0)) return 0;
  return Math.min(1, Math.max(0, (20 * Math.log10(rms) + 60) / 48));
}
