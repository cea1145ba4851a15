/** Mulberry32: numbers 0 ≤ n < 1 that come again with the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffled(names: readonly string[], random: () => number): string[] {
  return names
    .map((name) => ({ name, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ name }) => name);
}
