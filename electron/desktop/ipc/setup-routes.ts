import type { ModelServerOffer } from "../../../shared/ipc/model-routes.ts";
import { keyNames } from "../../../shared/safety/secrets.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { AppSecrets } from "../shell/app-secrets.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface SetUpRoutesOptions {
  secrets: Pick<AppSecrets, "request">;
  /** Looks for a model server on this computer. */
  findServer(): Promise<ModelServerOffer | null>;
  changeSettings(values: Partial<Settings>): void;
}

/** What the first run asks. */
export function setUpRoutes({ secrets, findServer, changeSettings }: SetUpRoutesOptions) {
  return {
    "setUp.look": async () => {
      const server = await findServer();
      const { place, canBeWeak, backend } = secrets.request(keyNames.anthropic);
      return { key: { place, canBeWeak, backend }, server };
    },
    "setUp.end": () => changeSettings({ firstRun: false }),
  } satisfies Partial<IpcHandlers>;
}
