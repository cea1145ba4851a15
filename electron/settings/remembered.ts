import Store from "electron-store";
import { type Remembered, remembered } from "../../shared/remembered.ts";

export interface RememberedFile {
  current(): Remembered;
  /** Keeps what is given; the rest stays as it is. Never throws: what cannot be written counts until Parley ends. */
  change(values: Partial<Remembered>): void;
}

/**
 * `remembered.json` in the user-data folder: nothing is lost with it but comfort, so what cannot be read counts as empty, and
 * what cannot be written, such as on a full disk, stops nothing else.
 */
export function openRemembered(folder: string, reportError: (error: unknown) => void): RememberedFile {
  const store = new Store<Record<string, unknown>>({
    name: "remembered",
    cwd: folder,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: true,
  });
  let now = remembered.parse(store.store);
  return {
    current: () => now,
    change: (values) => {
      now = { ...now, ...values };
      try {
        store.set(now);
      } catch (error) {
        reportError(error);
      }
    },
  };
}
