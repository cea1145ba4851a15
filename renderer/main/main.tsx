import { createRoot } from "react-dom/client";
import { MainWindow } from "../components/MainWindow.tsx";
import { WindowProvider } from "../components/window-context.ts";
import { followTheme } from "../state/theme.ts";
import { WindowState } from "../state/window-state.ts";
import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/window.css";
import "../styles/transcript.css";
import "../styles/cards.css";
import "../styles/markdown.css";
import "../styles/dock.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// The window's state lives as long as its page: there is nothing to end before the page itself does.
const state = new WindowState(window.parley);
state.start();
followTheme(state.info, document.documentElement);

createRoot(root).render(
  <WindowProvider value={state}>
    <MainWindow />
  </WindowProvider>,
);
