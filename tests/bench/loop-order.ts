/** What one measured conversation is to be. */
export interface LoopOrder {
  /** An Anthropic-shaped server. */
  baseUrl: string;
  /** Tool rounds that the server is expected to ask for. */
  steps: number;
  /** Calls a round. */
  parallel: number;
  /** Earlier messages of 500 characters, user and assistant in turn. */
  history: number;
}

/** What came of it. A step is a tool round: from one request to the next. */
export interface LoopFigures {
  wallMs: number;
  steps: number;
  stepMs: number[];
  deltas: number;
}

/** BASE_URL STEPS PARALLEL HISTORY. @throws Error that names what is missing */
export function orderFromEnvironment(): LoopOrder {
  const baseUrl = process.env.BASE_URL;
  if (!baseUrl) throw new Error("BASE_URL is missing: the address of an Anthropic-shaped server.");
  return {
    baseUrl,
    steps: wholeNumber("STEPS", 50),
    parallel: wholeNumber("PARALLEL", 1),
    history: wholeNumber("HISTORY", 0),
  };
}

/** The same text for everybody: 500 characters. */
export function earlierText(place: number): string {
  return `Earlier message ${place}. `.padEnd(500, "the quick brown fox jumps over the lazy dog ");
}

function wholeNumber(name: string, otherwise: number): number {
  const value = Number(process.env[name] || otherwise);
  if (!Number.isInteger(value) || value < 0)
    throw new Error(`${name} must be a whole number, not ${process.env[name]}.`);
  return value;
}
