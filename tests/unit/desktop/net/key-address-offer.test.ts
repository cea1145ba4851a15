import { beforeEach, expect, test } from "vitest";
import { KeyAddressOffers } from "../../../../electron/desktop/net/key-address-offer.ts";
import type { PlacedVariables } from "../../../../electron/providers/key-places.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";

let settings: Settings;
let places: PlacedVariables;
let changes: number;
beforeEach(() => {
  settings = defaultSettings;
  places = {
    environment: { ANTHROPIC_BASE_URL: "https://gateway.example/v1" },
    app: { ANTHROPIC_API_KEY: "k" },
    file: {},
  };
  changes = 0;
});

const make = () =>
  new KeyAddressOffers({
    settings: () => settings,
    changeSettings: (values) => {
      settings = { ...settings, ...values };
    },
    places: () => places,
    folderKeys: () => ({}),
    localServer: () => null,
    onChange: () => changes++,
  });
const id = "ANTHROPIC_API_KEY of Parley's settings to https://gateway.example";

test("names the key, the host and where both come from", () => {
  expect(make().current()).toEqual({
    id,
    key: "ANTHROPIC_API_KEY",
    keyPlace: "Parley's settings",
    address: "ANTHROPIC_BASE_URL",
    addressPlace: "the environment",
    host: "gateway.example",
  });
});

test("a yes is kept, for this key at this address", () => {
  const offers = make();
  offers.answer(id, true);
  expect([settings.keyAddresses, offers.current(), changes]).toEqual([[id], null, 1]);
  places = { ...places, environment: { ANTHROPIC_BASE_URL: "https://evil.example" } };
  expect(offers.current()?.host).toBe("evil.example");
});

test("a no lasts as long as the program", () => {
  const offers = make();
  offers.answer(id, false);
  expect([settings.keyAddresses, offers.current(), changes]).toEqual([[], null, 1]);
  expect(make().current()?.id).toBe(id);
});

test("only what is offered can be agreed to", () => {
  const offers = make();
  expect(() => offers.answer(id.replace("gateway", "evil"), true)).toThrow("has changed in the meantime");
  places = { environment: {}, app: {}, file: {} };
  expect(() => offers.answer(id, true)).toThrow("has changed in the meantime");
  expect(settings.keyAddresses).toEqual([]);
});
