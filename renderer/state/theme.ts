import type { AppInfo } from "../../shared/ipc/setting-routes.ts";
import type { Store } from "./store.ts";

/** Lets the `theme` setting win over the system's; `system` leaves the choice to the style sheet. */
export function followTheme(info: Store<AppInfo | null>, root: HTMLElement): () => void {
  const apply = () => {
    const theme = info.get()?.theme ?? "system";
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  apply();
  return info.subscribe(apply);
}
