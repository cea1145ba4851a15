import { type Sounds, soundDistance } from "../../../shared/voice/sound-distance.ts";
import type { Place } from "./places.ts";

/** What is further apart tells no more. */
const furthest = 0.6;

/** How a word fits what the readings of an utterance have in one place, all of them together. */
export class Support {
  readonly #sounds: readonly Sounds[];
  readonly #byReading: readonly (readonly Place[])[];
  readonly #distances = new Map<Place, number>();
  readonly #means = new Map<string, number>();

  /** @param sounds ways to say the word */
  constructor(sounds: readonly Sounds[], byReading: readonly (readonly Place[])[]) {
    this.#sounds = sounds;
    this.#byReading = byReading;
  }

  /** The mean distance in sound of that half of the readings which comes nearest there, 0–0.6; 0 where none has anything there. */
  distanceAt({ at, length }: Pick<Place, "at" | "length">): number {
    const key = `${at} ${length}`;
    const known = this.#means.get(key);
    if (known !== undefined) return known;
    // Those of what was said before or after a pause have nothing there.
    const all = this.#byReading
      .filter((places) => places.some((place) => sharedWords(place, at, length) > 0))
      .map((places) => this.#nearest(places, at, length));
    const nearest = all.sort((one, other) => one - other).slice(0, Math.ceil(all.length / 2));
    const mean = nearest.reduce((sum, distance) => sum + distance, 0) / Math.max(1, nearest.length);
    this.#means.set(key, mean);
    return mean;
  }

  #nearest(places: readonly Place[], at: number, length: number): number {
    let least = furthest;
    for (const place of places) {
      const shared = sharedWords(place, at, length);
      if (shared * 2 >= Math.max(length, place.length)) least = Math.min(least, this.#distance(place));
    }
    return least;
  }

  #distance(place: Place): number {
    const known = this.#distances.get(place);
    if (known !== undefined) return known;
    let least = furthest;
    for (const sounds of this.#sounds) least = Math.min(least, soundDistance(sounds, place.sounds, least));
    this.#distances.set(place, least);
    return least;
  }
}

const sharedWords = (place: Place, at: number, length: number) =>
  Math.min(at + length, place.at + place.length) - Math.max(at, place.at);
