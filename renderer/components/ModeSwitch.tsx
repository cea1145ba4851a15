import { useEffect, useRef } from "react";
import { type PermissionMode, permissionMode } from "../../shared/permissions.ts";
import { useStore } from "../state/store.ts";
import { keyLabel, modeHints, modeLabels } from "../state/wording.ts";
import { useWindow } from "./window-context.ts";

/** What runs without being asked for, and the way to change it. */
export function ModeSwitch({ mode, platform }: { mode: PermissionMode; platform: string | undefined }) {
  const window = useWindow();
  const request = useStore(window.modeRequests);
  const box = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (request > 0) box.current?.focus();
  }, [request]);
  return (
    <select
      ref={box}
      className={mode === "auto" ? "pill amber mode" : "pill mode"}
      data-testid="mode"
      aria-label="What runs without asking"
      title={`${modeHints[mode]} (${keyLabel(platform, "P", true)})`}
      value={mode}
      onChange={(event) => {
        const chosen = permissionMode.safeParse(event.target.value);
        if (chosen.success) window.setMode(chosen.data);
      }}
    >
      {permissionMode.options.map((one) => (
        <option key={one} value={one}>
          {modeLabels[one]}
        </option>
      ))}
    </select>
  );
}
