/** What every part of the voice benchmark is given. */
export interface PartOptions {
  /** How often each recording is played in the parts that play them at their own pace. */
  rounds: number;
  /** Of the rooms that are reckoned only this one. */
  room?: string | undefined;
  /** More recordings, for the parts that take them. */
  folder?: string | undefined;
  /** Where each utterance is written, by the parts that do. */
  signs?: string | undefined;
  /** A line for people; with `--json` nobody reads it. */
  tell(line: string): void;
}

/** A part of the benchmark: its figures by name. */
export type Part = (options: PartOptions) => Promise<Record<string, unknown>>;

export const percent = (count: number, of: number) => Math.round((1000 * count) / of) / 10;
