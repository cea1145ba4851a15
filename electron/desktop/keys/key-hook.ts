import type { UtilityProcess } from "electron";
import type { TalkKey } from "../../../shared/voice/talk-key.ts";
import { hearPart, startPart } from "../part-process.ts";
import { type KeyHookRequest, keyHookEvent } from "./key-hook-protocol.ts";

export interface KeyHookOptions {
  /** The built entry of the process. */
  entry: string;
  onDown(): void;
  /** Also when the process is gone: nobody would hear the key being let go. */
  onUp(): void;
  /** It cannot be had, or was lost too often. */
  onFailed(why: string): void;
  onLog(line: string): void;
}

/** How often the process may die before holding a key is given up. */
const maxDeaths = 3;

/** One key of the whole computer, heard by a process of its own, which is started again when it dies. */
export class KeyHook {
  readonly #options: KeyHookOptions;
  readonly #key: TalkKey;
  #child: UtilityProcess | null = null;
  #deaths = 0;
  #isOver = false;

  constructor(key: TalkKey, options: KeyHookOptions) {
    this.#key = key;
    this.#options = options;
    this.#start();
  }

  dispose(): void {
    this.#isOver = true;
    this.#child?.postMessage({ type: "quit" } satisfies KeyHookRequest);
    this.#child = null;
  }

  #start(): void {
    const { entry, onDown, onUp, onLog } = this.#options;
    const child = startPart(entry, { serviceName: "Parley push-to-talk", onLog });
    this.#child = child;
    hearPart(child, keyHookEvent, (event) => {
      if (this.#isOver) return;
      if (event.type === "failed") this.#fail(explained(event.message));
      else if (event.type === "down") onDown();
      else if (event.type === "up") onUp();
    });
    child.once("exit", (code) => {
      if (this.#isOver) return;
      onLog(`The push-to-talk process ended (${code}).`);
      onUp();
      this.#deaths += 1;
      if (this.#deaths < maxDeaths) this.#start();
      else this.#fail("The process that listens for the key keeps crashing.");
    });
    child.postMessage({ type: "watch", ...this.#key } satisfies KeyHookRequest);
  }

  #fail(why: string): void {
    this.dispose();
    this.#options.onFailed(why);
  }
}

/** Of a library that the system lacks, the package that has it. */
function explained(message: string): string {
  const [library] = /lib(Xtst|Xt|X11|Xrandr)\.so\.\d+/.exec(message) ?? [];
  if (library === undefined) return message;
  return `${library} is missing. On Debian and Ubuntu: sudo apt install libxtst6 libxt6 (libxt6t64 on newer ones).`;
}
