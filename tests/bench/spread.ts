/** The median and the 95th percentile (nearest rank) of some figures, to a tenth. */
export function spread(figures: readonly number[]): { p50: number; p95: number } {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (share: number) => {
    const figure = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
    return figure === undefined ? Number.NaN : Math.round(figure * 10) / 10;
  };
  return { p50: at(0.5), p95: at(0.95) };
}
