import { isLoopback } from "./addresses.ts";
import { type Credential, type Credentials, credentialsIn } from "./credentials.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Where the user's own keys and addresses stand. `app`: the settings, and the keys that were typed into Parley. */
export type Place = "environment" | "app" | "file";

/** The user's variables by where they stand. */
export type PlacedVariables = Readonly<Record<Place, Variables>>;

const inOrder = ["environment", "app", "file"] as const;

export const placeText: Readonly<Record<Place, string>> = {
  environment: "the environment",
  app: "Parley's settings",
  file: "your .env file",
};

/** The place whose word counts for a variable; null: nobody sets it. */
export const placeOf = (name: string, places: PlacedVariables): Place | null =>
  inOrder.find((place) => places[place][name]?.trim()) ?? null;

/** An address and where it stands: the name of a variable or of a setting. */
export interface PlacedAddress {
  url: string;
  name: string;
  place: Place;
}

/** A key that stands elsewhere than the address that it would be sent to, and that the user has not agreed to. */
export interface KeyApart {
  /** What a yes is kept as, such as `ANTHROPIC_API_KEY of the environment to https://gateway.example`. */
  id: string;
  key: string;
  keyPlace: Place;
  address: PlacedAddress;
  host: string;
}

/**
 * The key for an address that is not the provider's own: one that stands where the address does. Another one is sent to this
 * computer, or where the user agreed that it goes.
 * @param own of all places, as they count
 * @param agreed ids of what the user agreed to
 */
export function keyFor(
  maker: keyof Credentials,
  address: PlacedAddress,
  { own, places, agreed }: { own: Credentials; places: PlacedVariables; agreed: readonly string[] },
): Credential | KeyApart | undefined {
  const beside = credentialsIn(places[address.place])[maker];
  if (beside) return beside;
  const key = own[maker];
  const url = new URL(address.url);
  if (!key || isLoopback(url.hostname)) return key;
  const keyPlace = placeOf(key.name, places) ?? address.place;
  const id = `${key.name} of ${placeText[keyPlace]} to ${url.origin}`;
  if (keyPlace === address.place || agreed.includes(id)) return key;
  return { id, key: key.name, keyPlace, address, host: url.host };
}

export const isApart = (key: Credential | KeyApart | undefined): key is KeyApart =>
  key !== undefined && "keyPlace" in key;
