import type { Settings } from "../../shared/settings.ts";
import { systemClock } from "../agent/conversation/system-clock.ts";
import { KeyAddressOffers } from "../desktop/net/key-address-offer.ts";
import { ModelServerOffers } from "../desktop/net/model-server-offer.ts";
import { createModelFetch } from "../desktop/net/system-fetch.ts";
import type { AppSecrets } from "../desktop/shell/app-secrets.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import { createProvider } from "../providers/create-provider.ts";
import { LocalServers } from "../providers/local-server.ts";
import type { Base } from "./base.ts";

/** Who answers prompts: a provider by the settings and keys as they are now, or a model server on this computer. */
export function composeModels({ settings, log, newId }: Base, secrets: AppSecrets, windows: Windows) {
  const onChange = () => windows.broadcast({ type: "app" });
  const localServers = new LocalServers({ clock: systemClock, onChange });
  void localServers.refresh();
  const localServer = () => localServers.current();
  const fetch = createModelFetch(log.info);
  return {
    localServer,
    newProvider: (current: Settings) =>
      createProvider(current, {
        fetch,
        clock: systemClock,
        newId,
        env: secrets.environment(),
        folderKeys: secrets.modelKeys(),
        places: secrets.places(),
        localServer,
      }),
    keyAddresses: new KeyAddressOffers({
      settings: settings.current,
      changeSettings: settings.change,
      places: secrets.places,
      folderKeys: secrets.modelKeys,
      localServer,
      onChange,
    }),
    offers: new ModelServerOffers({
      settings: settings.current,
      changeSettings: settings.change,
      environment: secrets.environment,
      folderKeys: secrets.modelKeys,
      localServer,
      onChange,
    }),
  };
}
