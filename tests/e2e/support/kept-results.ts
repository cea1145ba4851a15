import type { ElectronApplication } from "playwright/test";

/**
 * Makes `app.evaluate` give its result also where the debugger loses it. While an app starts or opens a window, V8 now and
 * then collects what the debugger waits for although the function has run ("Resulting promise was garbage collected": about
 * one call in 7,000 there, seen with Electron 33). What each call gave is kept in the app and read once more then; the
 * function itself never runs twice.
 */
export function keepResults(app: ElectronApplication): ElectronApplication {
  const evaluate = app.evaluate.bind(app) as (run: unknown, given?: unknown) => Promise<unknown>;
  let calls = 0;
  const keeping = async (run: unknown, given?: unknown): Promise<unknown> => {
    const call = ++calls;
    try {
      return await evaluate(asFunction(keepingSource(String(run), call)), given);
    } catch (error) {
      if (!wasCollected(error)) throw error;
      return await read(call);
    }
  };
  const read = async (call: number): Promise<unknown> => {
    for (;;) {
      try {
        return await evaluate(asFunction(`() => globalThis.keptResults.get(${call})`));
      } catch (error) {
        if (!wasCollected(error)) throw error;
      }
    }
  };
  app.evaluate = keeping as ElectronApplication["evaluate"];
  return app;
}

const wasCollected = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("Resulting promise was garbage collected");

/** The driver sends the text of a function. */
const asFunction = (source: string): (() => void) =>
  Object.assign(() => undefined, { toString: () => source });

/** The last few results are enough: a call that lost its own asks at once. */
const keepingSource = (run: string, call: number): string => `(electron, given) => {
  const kept = (globalThis.keptResults ??= new Map());
  const result = (${run})(electron, given);
  kept.set(${call}, result);
  if (kept.size > 100) kept.delete(kept.keys().next().value);
  return result;
}`;
