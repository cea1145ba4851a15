import { type KeyMaker, type KeyTest, keyMaker } from "../../../shared/safety/key-test.ts";
import type { AppSecrets } from "../shell/app-secrets.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface KeyRoutesOptions {
  secrets: Pick<AppSecrets, "askKey" | "setKey" | "know" | "removeKey" | "stateOf">;
  /** @param key null: the one that counts now */
  test(maker: KeyMaker, key: string | null): Promise<KeyTest>;
  /** Where its prompts go, where that is not its own address. */
  hostOf(maker: KeyMaker): string | null;
  /** null: it has no list. @throws ModelError */
  models(maker: KeyMaker): Promise<string[] | null>;
}

/** What windows do with keys. Keys come in here; none goes out. */
export function keyRoutes({ secrets, test, hostOf, models }: KeyRoutesOptions) {
  return {
    "key.ask": ({ variable }) => secrets.askKey(variable),
    "key.set": ({ variable, key, isWeakAccepted }) => secrets.setKey(variable, key, isWeakAccepted),
    "key.test": ({ maker, key }) => {
      if (key === undefined) return test(maker, null);
      // Before anything can go wrong with it and say so.
      secrets.know(key);
      return test(maker, key);
    },
    "key.list": () =>
      keyMaker.options.map((maker) => ({ maker, ...secrets.stateOf(maker), host: hostOf(maker) })),
    "key.remove": ({ maker }) => secrets.removeKey(maker),
    "key.models": async ({ maker }) => ({ names: await models(maker) }),
  } satisfies Partial<IpcHandlers>;
}
