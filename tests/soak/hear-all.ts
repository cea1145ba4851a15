import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { VoiceService } from "../../electron/voice/session/voice-service.ts";
import type { VoiceStatus } from "../../electron/voice/session/voice-state.ts";
import { sharedClient } from "../../electron/voice/stt/stt-client.ts";
import { defaultSettings } from "../../shared/settings.ts";
import type { FaultScript, SttFault } from "../fakes/stt/stt-faults.ts";
import { FakeVoiceTarget } from "../fakes/stt/voice-target.ts";

export interface HeardAll {
  /** Every prompt, in the order in which the prompts ran. */
  ran: string[];
  maxQueue: number;
  /** Sessions that neither were told to stop nor ended with their process. */
  leftOpen: string[];
  last: VoiceStatus;
}

/**
 * The real voice runtime against a real server process that does wrong what `faults` say, until all `count` utterances
 * have run or voice has failed. Back-off takes no time.
 * @param onProgress after each run, with how many there were
 * @param program the server, built; by default its sources are run
 */
export async function hearAll(
  faults: readonly SttFault[],
  count: number,
  onProgress: (ran: number) => void = () => {},
  program?: string,
): Promise<HeardAll> {
  const folder = mkdtempSync(join(tmpdir(), "parley-soak-"));
  const script: FaultScript = {
    faults,
    count,
    stateFile: join(folder, "state"),
    callsFile: join(folder, "calls"),
  };
  const connect = sharedClient(
    async () =>
      new StdioClientTransport({
        command: process.execPath,
        args: program
          ? [program]
          : ["--import", "tsx", join(import.meta.dirname, "../fakes/stt/faulty-stt-server.ts")],
        env: { PATH: process.env.PATH ?? "", STT_FAULTS: JSON.stringify(script) },
      }),
  );
  const target = new FakeVoiceTarget();
  target.keepsEvents = false;
  const ran: string[] = [];
  let maxQueue = 0;
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    target.subscribe((event) => {
      if (event.type === "input.queued" && event.input.isHeld !== true) void work();
      if (event.type === "voice.state" && event.state === "failed") isOver = true;
      if (isOver) resolve();
    });
    let isWorking = false;
    /** One run after the other, as a conversation has them. */
    const work = async () => {
      if (isWorking) return;
      isWorking = true;
      for (let next = waiting()[0]; next; next = waiting()[0]) {
        maxQueue = Math.max(maxQueue, waiting().length);
        target.begin(next.inputId);
        ran.push(next.text);
        await setImmediate();
        target.end();
        onProgress(ran.length);
        await setImmediate();
      }
      isWorking = false;
      if (ran.length >= count) resolve();
    };
    const waiting = () => target.view().queue.filter(({ isHeld }) => !isHeld);
  });
  const voice = new VoiceService({
    connect,
    settings: () => defaultSettings,
    clock: {
      now: () => Date.now(),
      // The limit on stopping never comes.
      sleep: (ms, signal) =>
        ms < 10_000
          ? Promise.resolve()
          : new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
      after: () => () => {},
    },
  });
  voice.start(target, { source: "microphone" });
  await ended;
  const last = voice.status();
  await voice.stop();
  await (await connect().catch(() => null))?.close();
  const calls = existsSync(script.callsFile) ? readFileSync(script.callsFile, "utf8").trim().split("\n") : [];
  const sessions = (what: string) =>
    calls.flatMap((line) => (line.startsWith(`${what} `) ? [line.slice(what.length + 1)] : []));
  const closed = new Set([...sessions("stop"), ...sessions("exit")]);
  rmSync(folder, { recursive: true });
  return { ran, maxQueue, leftOpen: sessions("start").filter((id) => !closed.has(id)), last };
}

/** What should have run. */
export const wantedOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `utterance number ${index + 1}`);
