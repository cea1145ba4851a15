/** What better speech is offered for: hearing, or speaking. */
export const offerKinds = ["recogniser", "voice"] as const;
export type OfferKind = (typeof offerKinds)[number];

/** A model that one click downloads and uses. */
export interface SpeechOffer {
  name: string;
  /** Of the download; null where it is not known before. */
  bytes: number | null;
  /** Somebody has tried it, and it works. */
  isTried: boolean;
  /** What hears, or speaks, until then: what comes along, or nothing. */
  until: "basic" | "nothing";
  state:
    | { kind: "offered" }
    | { kind: "downloading"; doneBytes: number }
    | { kind: "failed"; message: string };
}

/** null: nothing is offered. */
export type SpeechOffers = Record<OfferKind, SpeechOffer | null>;

export const noOffers: SpeechOffers = { recogniser: null, voice: null };
