import { once } from "node:events";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as wait } from "node:timers/promises";
import type { ExecOptions, ExecResult } from "../../agent/ports/ports.ts";
import { BoundedText } from "../environment/bounded-text.ts";
import type { ProcessGroup } from "./process-group.ts";
import type { TimeLimit } from "./time-limit.ts";

/** How long what is still in the pipes may take to arrive when the command itself has ended. */
const drainMs = 250;

/**
 * Collects what a command says until it has ended, or is ended: by its time or by the signal. At the end of it nothing of
 * its group is left; what it left running in the background is ended, too, and is not waited for.
 */
export async function runCommand(
  group: ProcessGroup,
  { limit, signal, onOutput }: Pick<ExecOptions, "signal" | "onOutput"> & { limit: TimeLimit },
): Promise<Omit<ExecResult, "fenced">> {
  const startedAt = performance.now();
  const output = new BoundedText();
  const add = (text: string) => {
    if (text === "") return;
    output.add(text);
    onOutput?.(text);
  };
  const closed = Promise.all([group.child.stdout, group.child.stderr].map((stream) => read(stream, add)));
  const stop = new AbortController();
  const ended = group.exited.then(() => "ended" as const);
  const timedOut = limit.passed.then(() => "timeout" as const);
  const aborted = whenAborted(signal, stop.signal);
  aborted.catch(() => {});
  try {
    const reason = await Promise.race([ended, timedOut, aborted]);
    if (reason === "ended") await atMost(closed, drainMs);
    await group.end();
    await atMost(closed, drainMs);
    const exit = await Promise.race([group.exited, undefined]);
    return {
      output: output.toString(),
      exitCode: exit?.code ?? null,
      timedOut: reason === "timeout",
      aborted: reason === "aborted",
      durationMs: performance.now() - startedAt,
    };
  } finally {
    stop.abort();
    limit.end();
    await group.end();
    // Somebody who left the group may hold them open for ever.
    group.child.stdout?.destroy();
    group.child.stderr?.destroy();
  }
}

async function read(stream: Readable | null, add: (text: string) => void): Promise<void> {
  if (!stream) return;
  // A character may come in two pieces.
  const decoder = new StringDecoder("utf8");
  stream.on("data", (bytes: Buffer) => add(decoder.write(bytes)));
  stream.on("error", () => {});
  stream.once("end", () => add(decoder.end()));
  await once(stream, "close");
}

async function whenAborted(signal: AbortSignal, until: AbortSignal): Promise<"aborted"> {
  if (!signal.aborted) await once(signal, "abort", { signal: until });
  return "aborted";
}

async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  const stop = new AbortController();
  await Promise.race([work, wait(ms, undefined, { signal: stop.signal }).catch(() => {})]);
  stop.abort();
}
