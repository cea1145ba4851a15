const bars = [
  { x: 5.6, y: 7.35, height: 2.8 },
  { x: 7.9, y: 5.9, height: 5.7 },
  { x: 10.2, y: 5, height: 7.5 },
  { x: 12.5, y: 6.5, height: 4.5 },
];

/** Parley's sign, beside its name. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 20 20" fill="var(--accent)">
      <path d="M5.2 2.5h9.6A3.2 3.2 0 0 1 18 5.7v6.1a3.2 3.2 0 0 1-3.2 3.2H10l-3.7 2.9c-.5.4-1.1.1-1.1-.5V15A3.2 3.2 0 0 1 2 11.8V5.7a3.2 3.2 0 0 1 3.2-3.2z" />
      {bars.map((bar) => (
        <rect key={bar.x} {...bar} width={1.3} rx={0.65} fill="var(--on-accent)" />
      ))}
    </svg>
  );
}
