import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { type LaunchOptions, launchParley, type Parley } from "../../e2e/support/launch.ts";
import { type ModelProcess, startModelProcess } from "./model-process.ts";

/** The real app against the fake model server, and everything that its window was told. */
export interface BenchApp {
  parley: Parley;
  model: ModelProcess;
  readonly events: readonly AgentEvent[];
  /** What `pick` makes of the first event, from number `from` on, that it takes. */
  next<T>(from: number, pick: (event: AgentEvent) => T | undefined): Promise<T>;
  /** Types a prompt or a command and sends it. */
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

export async function startApp(options: LaunchOptions = {}): Promise<BenchApp> {
  const model = await startModelProcess();
  const parley = await launchParley({
    ...options,
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "bench", ...options.env },
  });
  const { page } = parley;
  await page.getByTestId("composer").waitFor();
  const events: AgentEvent[] = [];
  const waiting = new Set<() => void>();
  await page.exposeFunction("benchEvents", (batch: AgentEvent[]) => {
    events.push(...batch);
    for (const look of [...waiting]) look();
  });
  await page.evaluate(() => {
    window.parley.onPush((push) => {
      if (push.type === "events") void window.benchEvents(push.events);
    });
  });
  return {
    parley,
    model,
    events,
    next: (from, pick) =>
      new Promise((resolve) => {
        const look = () => {
          for (const event of events.slice(from)) {
            const picked = pick(event);
            if (picked === undefined) continue;
            waiting.delete(look);
            resolve(picked);
            return;
          }
        };
        waiting.add(look);
        look();
      }),
    async send(text) {
      await page.getByTestId("composer").fill(text);
      await page.getByTestId("composer").press("Enter");
    },
    async close() {
      await parley.close();
      await model.close();
    },
  };
}

/** Says when voice has reached a state. */
export const voiceIs = (wanted: string) => (event: AgentEvent) =>
  event.type === "voice.state" && event.state === wanted ? true : undefined;

/** Says when speech has reached a state. */
export const speechIs = (wanted: string) => (event: AgentEvent) =>
  event.type === "speech.state" && event.state === wanted ? event : undefined;

declare global {
  interface Window {
    benchEvents(events: AgentEvent[]): Promise<void>;
  }
}
