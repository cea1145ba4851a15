import { z } from "zod";
import type { Tool } from "../../electron/agent/ports/ports.ts";

export interface GatedTool extends Tool {
  /** Resolves when it runs for the first time. */
  started: Promise<void>;
  release(): void;
}

/** A tool that a test holds and releases. It pays no heed to its signal. */
export function gatedTool(name: string, more: Partial<Tool> = {}): GatedTool {
  let start = () => {};
  let open = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    name,
    description: "Waits.",
    input: z.object({}),
    effect: "read",
    started,
    release: () => open(),
    async run() {
      start();
      await gate;
      return { text: `${name} is done` };
    },
    ...more,
  };
}
