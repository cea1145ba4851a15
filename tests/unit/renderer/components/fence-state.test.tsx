// @vitest-environment happy-dom
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { FenceState } from "../../../../renderer/components/settings/PermissionExtras.tsx";
import { WindowProvider } from "../../../../renderer/components/window/window-context.ts";
import { WindowState } from "../../../../renderer/state/window-state.ts";
import { ScriptedMain } from "../state/scripted-main.ts";
import { appInfo } from "./app-info.ts";
import { act } from "./react-act.ts";

// Bug: "Not there: Parley has not checked for the fence yet." was said while it was looked for.
it("the settings say that the fence is looked for until that is known", async () => {
  const main = new ScriptedMain();
  const state = new WindowState(main.bridge);
  const { end } = state.start();
  const place = document.createElement("div");
  const root = createRoot(place);
  await act(async () =>
    root.render(
      <WindowProvider value={state}>
        <FenceState />
      </WindowProvider>,
    ),
  );
  const fence = {
    setting: "on" as const,
    isThere: false,
    why: "Nobody looked.",
    mend: null,
    isChecking: true,
  };
  await act(() => main.answer("app.info", appInfo({ fence })));
  expect(place.textContent).toBe("Checking…");
  end();
  await act(async () => root.unmount());
});
