import type { Page } from "playwright/test";

/**
 * Times from one animation frame to the next while a reply is written, in milliseconds: from `skipMs` after its first
 * picture on, to its last.
 */
export async function streamFrames(page: Page, send: () => Promise<void>, skipMs: number): Promise<number[]> {
  const frames = page.evaluate(
    (skipMs) =>
      new Promise<number[]>((resolve) => {
        const replies = document.querySelector('[data-testid="transcript"]');
        const isWritten = () =>
          replies?.querySelector('[data-testid="message-assistant"][data-streaming="true"]') !== null;
        const took: number[] = [];
        let beganMs: number | null = null;
        let beforeMs: number | null = null;
        const look = (nowMs: number) => {
          const isNow = isWritten();
          if (isNow) beganMs ??= nowMs;
          if (isNow && beforeMs !== null && beganMs !== null && nowMs - beganMs > skipMs) {
            took.push(nowMs - beforeMs);
          }
          beforeMs = isNow ? nowMs : null;
          if (beganMs !== null && !isNow) resolve(took);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    skipMs,
  );
  await send();
  return await frames;
}

export interface KeyFigures {
  /** What the main thread does for a key, from its first listener on to the end of its last, without drawing. */
  main: number[];
  /** From the key to the end of the picture that shows it. */
  paint: number[];
}

/** Types into the text box, a key every `everyMs`. */
export async function keyFigures(page: Page, keys: number, everyMs: number): Promise<KeyFigures> {
  await page.getByTestId("composer").click();
  await page.evaluate(() => {
    const figures: KeyFigures = { main: [], paint: [] };
    window.keyFigures = figures;
    /** Once everything that was begun before is done. */
    const afterwards = (act: () => void) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = act;
      port2.postMessage(null);
    };
    let sinceMs = 0;
    let pressedMs = 0;
    document.addEventListener(
      "keydown",
      (event) => {
        sinceMs = performance.now();
        pressedMs = event.timeStamp;
      },
      true,
    );
    document.addEventListener(
      "input",
      () => {
        const key = { sinceMs, pressedMs };
        requestAnimationFrame(() => afterwards(() => figures.paint.push(performance.now() - key.pressedMs)));
      },
      true,
    );
    // Last of all: React has drawn anew what the key changed when its own listener ends.
    window.addEventListener("input", () => figures.main.push(performance.now() - sinceMs));
  });
  for (let key = 0; key < keys; key++) {
    // A word, then a space, in no step with the frames.
    await page.keyboard.press(key % 6 === 5 ? "Space" : ("abcdefgh"[key % 8] ?? "a"));
    await page.waitForTimeout(everyMs + (key % 7));
  }
  return await page.evaluate(() => window.keyFigures);
}

/** From the click on a conversation in the list to the picture with its last message, in milliseconds. */
export async function openFigure(page: Page, conversationId: string, lastId: string): Promise<number> {
  return await page.evaluate(
    ({ conversationId, lastId }) =>
      new Promise<number>((resolve, reject) => {
        const row = document.querySelector<HTMLElement>(
          `[data-testid="conversation-item"][data-key="${conversationId}"]`,
        );
        if (!row) return reject(new Error(`The list has no ${conversationId}.`));
        const isThere = () => document.querySelector(`[data-testid="transcript"] [data-key="${lastId}"]`);
        const watcher = new MutationObserver(() => {
          if (!isThere()) return;
          watcher.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - sinceMs);
            port2.postMessage(null);
          });
        });
        watcher.observe(document.body, { childList: true, subtree: true });
        const sinceMs = performance.now();
        row.click();
      }),
    { conversationId, lastId },
  );
}

declare global {
  interface Window {
    keyFigures: KeyFigures;
  }
}
