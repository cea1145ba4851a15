/** A file that a folder brings, as the card shows it. */
export interface BroughtFile {
  /** Relative to the working folder. */
  path: string;
  /** What it is for, in Parley's words. */
  what: string;
  /** What it says, in the project's own words, as far as there is room: nothing of it is Parley's. */
  words: string[];
  /** More words than are shown. */
  isCut: boolean;
  /** It was trusted with another content. */
  isChanged: boolean;
  /** Why it cannot be read, to go on after its name; null: it can. */
  refusal: string | null;
}

/** What waits for the user's word before it counts. */
export interface TrustRequest {
  /** Stands for exactly what is shown: an answer to something else is refused. */
  id: string;
  /** The whole path. */
  folder: string;
  files: BroughtFile[];
}
