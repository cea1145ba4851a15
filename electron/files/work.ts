/** One call of the system, to be made at once or in the background. */
export interface Step {
  now(): void;
  later(): Promise<void>;
}

/** Calls of the system one after the other, written once for both ways of making them. Cleans up in `finally`. */
export type Work<T> = Generator<Step, T, void>;

/** One step of a work. */
export function* step<T>(now: () => T, later: () => Promise<T>): Work<T> {
  let result: { value: T } | undefined;
  yield {
    now() {
      result = { value: now() };
    },
    async later() {
      result = { value: await later() };
    },
  };
  if (!result) throw new Error("A step was passed over.");
  return result.value;
}

/** Nothing is left to be done. */
export const done = <T>(value: T): Work<T> =>
  step(
    () => value,
    async () => value,
  );

/** Works that do not wait for one another. */
export function each<T>(works: readonly Work<T>[]): Work<T[]> {
  return step(
    () => works.map(doNow),
    () => Promise.all(works.map(doLater)),
  );
}

/** Does it all before it returns: in threads that may wait for a disk. */
export function doNow<T>(work: Work<T>): T {
  let at = work.next();
  while (!at.done) {
    try {
      at.value.now();
    } catch (error) {
      at = work.throw(error);
      continue;
    }
    at = work.next();
  }
  return at.value;
}

export async function doLater<T>(work: Work<T>): Promise<T> {
  let at = work.next();
  while (!at.done) {
    try {
      await at.value.later();
    } catch (error) {
      at = work.throw(error);
      continue;
    }
    at = work.next();
  }
  return at.value;
}
