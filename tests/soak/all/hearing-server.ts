import { resolve } from "node:path";
import type { SttScript } from "../../fakes/stt/scripted-stt-server.ts";

const root = resolve(import.meta.dirname, "../../..");

/** How a speech server is started, as the settings say it, that hears these words once each time it is asked to listen. */
export function hearingServer(text: string): object {
  const timestamp = "2026-01-01T00:00:00Z";
  const heard = {
    seq: 1,
    type: "utterance_final",
    timestamp_utc: timestamp,
    text,
    confidence: 0.95,
  } as const;
  const script: SttScript = { canWait: true, again: true, updates: [{ events: [heard] }] };
  return {
    command: process.execPath,
    args: ["--import", "tsx", resolve(root, "tests/fakes/stt/scripted-stt-server.ts")],
    cwd: root,
    env: { STT_SCRIPT: JSON.stringify(script) },
  };
}
