import { applySpelling, setUpContextMenus } from "../desktop/shell/context-menu.ts";
import type { Base } from "./base.ts";

/** Right-click menus, and spelling as the setting has it. It is off until here. */
export function composeContextMenus({ current, change, onChange }: Base["settings"]): void {
  if (current().checkSpelling) applySpelling(true);
  onChange((changed) => {
    if (changed.has("checkSpelling")) applySpelling(current().checkSpelling);
  });
  setUpContextMenus({
    isSpellingChecked: () => current().checkSpelling,
    checkSpelling: (isWanted) => change({ checkSpelling: isWanted }),
  });
}
