/** What better speech is offered for: hearing, or speaking. */
export const offerKinds = ["recogniser", "voice"] as const;
export type OfferKind = (typeof offerKinds)[number];

/** How many of the words it hears are wrong: 0.1 is one in ten. */
export interface SpeechErrors {
  rate: number;
  /** Who measured it: Parley's own tests, or who made the model. */
  by: "us" | "maker";
}

/** A model that one click downloads and uses. */
export interface SpeechOffer {
  name: string;
  /** Of the whole download; null where it is not known before. */
  bytes: number | null;
  /** What comes along: it listens for words to stop, and for words that are doubtful. */
  also: { name: string; bytes: number | null } | null;
  /** Somebody has tried it, and it works. */
  isTried: boolean;
  /** null: not known. */
  errors: SpeechErrors | null;
  /** What hears, or speaks, until then: what comes along, a small model whose errors nobody has measured, or nothing. */
  until: "basic" | "small" | "nothing";
  state:
    | { kind: "offered" }
    | { kind: "downloading"; doneBytes: number }
    | { kind: "failed"; message: string };
}

/** null: nothing is offered. */
export type SpeechOffers = Record<OfferKind, SpeechOffer | null>;

export const noOffers: SpeechOffers = { recogniser: null, voice: null };
