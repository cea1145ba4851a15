import type { ModelServerOffer } from "../../../shared/ipc/model-routes.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import type { Settings } from "../../../shared/settings.ts";
import { describeProvider, offeredServer } from "../../providers/create-provider.ts";
import { type LocalServer, localServerId } from "../../providers/local-server.ts";
import type { Environment } from "../../settings/env-file.ts";

export interface ModelServerOffersOptions {
  settings(): Settings;
  changeSettings(values: Partial<Settings>): void;
  environment(): Environment;
  /** Keys from the folder of new conversations; absent: none. */
  folderKeys?(): Environment;
  /** The one that answers now. */
  localServer(): LocalServer | null;
  /** There is another offer, or none any more. */
  onChange(): void;
}

/** What is shown of its list, and of one name of it, at most. */
const shownModels = 3;
const shownChars = 60;

/**
 * A model server on this computer is used once the user has seen it and agreed: whoever has the port would get every prompt. A
 * yes is kept, for this name at this address; a no lasts until Parley ends.
 */
export class ModelServerOffers {
  readonly #options: ModelServerOffersOptions;
  readonly #refused = new Set<string>();

  constructor(options: ModelServerOffersOptions) {
    this.#options = options;
  }

  current(): ModelServerOffer | null {
    const { settings, environment, folderKeys, localServer } = this.#options;
    const server = offeredServer(settings(), environment(), localServer, folderKeys?.());
    if (!server || this.#refused.has(localServerId(server))) return null;
    return asOffer(server);
  }

  /**
   * A yes has it answer, also where a key is there or another provider was chosen.
   * @throws Error where it is not the one that is there
   */
  answer(id: string, isAgreed: boolean): void {
    const { settings, changeSettings, environment, folderKeys, localServer, onChange } = this.#options;
    const server = localServer();
    if (!server || localServerId(server) !== id) throw new Error("This model server is no longer there.");
    if (isAgreed) {
      const localModelServers = [...new Set([...settings().localModelServers, id])];
      const then = { ...settings(), localModelServers };
      const { provider } = describeProvider(then, environment(), localServer, folderKeys?.());
      changeSettings({ localModelServers, ...(provider !== "local" && { provider: "local" }) });
    } else this.#refused.add(id);
    onChange();
  }
}

/** As it is shown before the user agrees to it. */
export function asOffer(server: LocalServer): ModelServerOffer {
  const models = server.models.slice(0, shownModels).map((model) => visibleText(model).slice(0, shownChars));
  return { id: localServerId(server), models, more: server.models.length - models.length };
}
