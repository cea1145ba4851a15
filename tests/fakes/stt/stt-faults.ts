/** What `faulty-stt-server.ts` may do instead of a plain answer. */
export const sttFaults = [
  "none",
  "huge",
  "twice",
  "disorder",
  "hole",
  "lost",
  "noise",
  "slow",
  "malformed",
  "schema",
  "error",
  "stopped",
  "exit",
] as const;
export type SttFault = (typeof sttFaults)[number];

export interface FaultScript {
  faults: readonly SttFault[];
  /** How many utterances are said. */
  count: number;
  stateFile: string;
  /** A line for each start, stop and exit, with the session. */
  callsFile: string;
}

/** After the last one all goes well. Whatever ends a session is followed by an answer, or voice would rightly give up. */
export function faultOf(faults: readonly SttFault[], step: number): SttFault {
  if (step % 3 === 2) return "none";
  return faults[step - Math.floor(step / 3)] ?? "none";
}
