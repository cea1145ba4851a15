import "../styles/tokens.css";
import "../styles/base.css";
import { createRoot } from "react-dom/client";
import { DrawnPage } from "../components/ui/Drawn.tsx";
import { MainWindow } from "../components/window/MainWindow.tsx";
import { WindowProvider } from "../components/window/window-context.ts";
import { stillCaret } from "../state/still-caret.ts";
import { followTheme } from "../state/theme.ts";
import { WindowState } from "../state/window-state.ts";
import { direction } from "../texts/texts.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// The window's state lives as long as its page: there is nothing to end before the page itself does.
const state = new WindowState(window.parley);
const { isReady } = state.start();
followTheme(state.info, document.documentElement);
document.documentElement.dir = direction;
stillCaret(document.documentElement);
window.addEventListener("pagehide", () => state.drafts.flushAll());

// The first picture has the list and the conversation in it: an empty one before it would only flash.
void isReady.finally(() =>
  createRoot(root).render(
    <DrawnPage>
      <WindowProvider value={state}>
        <MainWindow />
      </WindowProvider>
    </DrawnPage>,
  ),
);
