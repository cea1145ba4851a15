import styles from "./SilenceRing.module.css";

const radius = 6;
const around = 2 * Math.PI * radius;

interface SilenceRingProps {
  /** Nobody speaks: it fills. */
  isSilent: boolean;
  /** After so much silence the words are sent, at the latest. Milliseconds. */
  ms: number;
}

/** How long it is silent: full, and what was said is sent; empty again where somebody goes on. */
export function SilenceRing({ isSilent, ms }: SilenceRingProps) {
  return (
    <svg
      className={styles.ring}
      data-testid="silence-ring"
      data-filling={isSilent}
      width={16}
      height={16}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <circle cx={8} cy={8} r={radius} />
      <circle
        className={styles.fill}
        cx={8}
        cy={8}
        r={radius}
        style={{
          strokeDasharray: around,
          strokeDashoffset: isSilent ? 0 : around,
          transitionDuration: isSilent ? `${ms}ms` : "80ms",
        }}
      />
    </svg>
  );
}
