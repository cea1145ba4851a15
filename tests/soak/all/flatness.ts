/** What is measured between actions, when nothing runs. */
export interface Sample {
  /** Actions so far. */
  actions: number;
  /** File descriptors that main has open, without those of `/dev/null`. */
  handles: number;
  /** Main and all below it. */
  processes: number;
  /** Live objects of main after a collection, in megabytes. */
  mainHeapMb: number;
  /** Live objects of the main window's page after a collection, in megabytes. */
  windowHeapMb: number;
  /** Main and all below it together, what they share counted once (PSS), in megabytes. */
  memoryMb: number;
  /** Entries of the app's temporary folder. */
  temporaryFiles: number;
  /** The database with its log, in kilobytes for each message. */
  databaseKbPerMessage: number;
}
export type Measure = Exclude<keyof Sample, "actions">;

interface Limit {
  perHundred: number;
  least: number;
  /** Fewer samples, without those of the start, claim nothing (3). */
  samples?: number;
}

/**
 * What counts as a leak: a slope above `perHundred` (units in a hundred actions) that has come to more than `least` units in all,
 * so that a cache that fills, or one process more for a moment, is none.
 */
export const limits: Readonly<Record<Measure, Limit>> = {
  handles: { perHundred: 10, least: 12 },
  processes: { perHundred: 3, least: 4 },
  mainHeapMb: { perHundred: 12, least: 15 },
  windowHeapMb: { perHundred: 15, least: 20 },
  // It swings by 300 MB as recogniser, voice and fence come and go.
  memoryMb: { perHundred: 100, least: 400, samples: 20 },
  temporaryFiles: { perHundred: 5, least: 6 },
  databaseKbPerMessage: { perHundred: 2, least: 8 },
};

/** The first of them are the start: what is loaded once has been loaded after them. */
const startShare = 0.25;

/** Units in a hundred actions: the median of the slopes between all pairs, which one odd sample does not move (Theil–Sen). */
export function slopeOf(samples: readonly Sample[], measure: Measure): number {
  const slopes = samples.flatMap((one, index) =>
    samples
      .slice(index + 1)
      .filter(({ actions }) => actions > one.actions)
      .map((other) => (100 * (other[measure] - one[measure])) / (other.actions - one.actions)),
  );
  return median(slopes);
}

/** @returns in words what grows; empty where all is flat */
export function growing(samples: readonly Sample[]): string[] {
  const settled = samples.slice(Math.ceil(samples.length * startShare));
  const [first] = settled;
  const last = settled.at(-1);
  if (!first || !last) return [];
  return (Object.keys(limits) as Measure[]).flatMap((measure) => {
    const { perHundred, least, samples: enough = 3 } = limits[measure];
    if (settled.length < enough) return [];
    const slope = slopeOf(settled, measure);
    const rise = (slope * (last.actions - first.actions)) / 100;
    if (slope <= perHundred || rise <= least) return [];
    return [
      `${measure} grows by ${slope.toFixed(1)} in a hundred actions, more than ${perHundred}: ${settled.map((sample) => sample[measure]).join(", ")}`,
    ];
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
