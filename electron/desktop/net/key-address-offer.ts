import type { KeyAddressOffer } from "../../../shared/ipc/model-routes.ts";
import type { Settings } from "../../../shared/settings.ts";
import { keyApart } from "../../providers/create-provider.ts";
import { type PlacedVariables, placeText } from "../../providers/key-places.ts";
import type { LocalServer } from "../../providers/local-server.ts";
import type { Environment } from "../../settings/env-file.ts";

export interface KeyAddressOffersOptions {
  settings(): Settings;
  changeSettings(values: Partial<Settings>): void;
  /** The user's own variables, by where they stand. */
  places(): PlacedVariables;
  /** Keys from the folder of new conversations. */
  folderKeys(): Environment;
  localServer(): LocalServer | null;
  /** There is another offer, or none any more. */
  onChange(): void;
}

/**
 * A key is not sent to an address that stands elsewhere, such as one set for another program, before the user has seen where it
 * would go and agreed. A yes is kept, for this key and this address; a no lasts until Parley ends.
 */
export class KeyAddressOffers {
  readonly #options: KeyAddressOffersOptions;
  readonly #refused = new Set<string>();

  constructor(options: KeyAddressOffersOptions) {
    this.#options = options;
  }

  current(): KeyAddressOffer | null {
    const { settings, places, folderKeys, localServer } = this.#options;
    const own = places();
    const env = { ...own.file, ...own.app, ...own.environment };
    const apart = keyApart(settings(), env, localServer, folderKeys(), own);
    if (!apart || this.#refused.has(apart.id)) return null;
    const { id, key, keyPlace, address, host } = apart;
    return {
      id,
      key,
      keyPlace: placeText[keyPlace],
      address: address.name,
      addressPlace: placeText[address.place],
      host,
    };
  }

  /** @throws Error where it is not the one that is offered */
  answer(id: string, isAgreed: boolean): void {
    const { settings, changeSettings, onChange } = this.#options;
    if (this.current()?.id !== id) throw new Error("This key or this address has changed in the meantime.");
    if (isAgreed) changeSettings({ keyAddresses: [...settings().keyAddresses, id] });
    else this.#refused.add(id);
    onChange();
  }
}
