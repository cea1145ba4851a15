import "../styles/tokens.css";
import "../styles/base.css";
import { createRoot } from "react-dom/client";
import { QuickPrompt } from "../components/quick/QuickPrompt.tsx";
import { DrawnPage } from "../components/ui/Drawn.tsx";
import { QuickState } from "../state/quick-state.ts";
import { followTheme } from "../state/theme.ts";
import { direction } from "../texts/texts.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// Lives as long as its page, like the main window's.
const state = new QuickState(window.parley);
state.start();
followTheme(state.info, document.documentElement);
document.documentElement.dir = direction;

createRoot(root).render(
  <DrawnPage onClose={state.close}>
    <QuickPrompt state={state} />
  </DrawnPage>,
);
