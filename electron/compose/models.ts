import type { KeyMaker } from "../../shared/safety/key-test.ts";
import type { Settings } from "../../shared/settings.ts";
import { systemClock } from "../agent/conversation/system-clock.ts";
import { KeyAddressOffers } from "../desktop/net/key-address-offer.ts";
import { asOffer, ModelServerOffers } from "../desktop/net/model-server-offer.ts";
import { createModelFetch } from "../desktop/net/system-fetch.ts";
import type { AppSecrets } from "../desktop/shell/app-secrets.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import { aliasesFor, createProvider, describeProvider } from "../providers/create-provider.ts";
import { LocalServers } from "../providers/local-server.ts";
import { ModelLists } from "../providers/model-lists.ts";
import { modelFacts } from "../providers/models.ts";
import { testKey } from "../providers/test-key.ts";
import type { Base } from "./base.ts";

/** Who answers prompts: a provider by the settings and keys as they are now, or a model server on this computer. */
export function composeModels({ settings, log, newId }: Base, secrets: AppSecrets, windows: Windows) {
  const onChange = () => windows.broadcast({ type: "app" });
  const localServers = new LocalServers({ clock: systemClock, onChange });
  void localServers.refresh();
  const localServer = () => localServers.current();
  const fetch = createModelFetch(log.info);
  const newProvider = (current: Settings) =>
    createProvider(current, {
      fetch,
      clock: systemClock,
      newId,
      env: secrets.environment(),
      folderKeys: secrets.modelKeys(),
      places: secrets.places(),
      locked: secrets.locked(),
      localServer,
    });
  const describe = (current: Settings) => {
    const places = secrets.places();
    const env = { ...places.file, ...places.app, ...places.environment };
    return describeProvider(current, env, localServer, secrets.modelKeys(), places, secrets.locked());
  };
  const asMaker = (maker: KeyMaker): Settings => ({ ...settings.current(), provider: maker });
  const lists = new ModelLists({
    clock: systemClock,
    newProvider,
    account: (current) => {
      const { provider, anthropicBaseUrl, openaiBaseUrl } = current;
      const keys = [secrets.environment(), secrets.modelKeys()];
      return { provider, anthropicBaseUrl, openaiBaseUrl, keys, server: localServer() };
    },
  });
  return {
    localServer,
    /** Looks now for a model server on this computer; null: none is there. */
    findServer: async () => {
      const server = await localServers.refresh();
      return server === null ? null : asOffer(server);
    },
    newProvider,
    testKey: (maker: KeyMaker, key: string | null) =>
      testKey(
        maker,
        key,
        {
          fetch,
          clock: systemClock,
          newId,
          settings: settings.current(),
          env: secrets.environment(),
          folderKeys: secrets.modelKeys(),
          places: secrets.places(),
        },
        new AbortController().signal,
      ),
    describe,
    aliases: (current: Settings) => aliasesFor(describe(current)),
    prices: (current: Settings) => {
      const { pricedBy } = describe(current);
      return (id: string) => modelFacts(id, current, pricedBy).price ?? null;
    },
    lists,
    hostOf: (maker: KeyMaker) => describe(asMaker(maker)).modelHost ?? null,
    namesOf: async (maker: KeyMaker) => {
      const listed = await lists.of(asMaker(maker), new AbortController().signal);
      return listed?.map(({ id, name }) => name ?? id) ?? null;
    },
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
