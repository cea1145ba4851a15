import "../styles/tokens.css";
import "../styles/base.css";
import { createRoot } from "react-dom/client";
import { QuickPrompt } from "../components/quick/QuickPrompt.tsx";
import { QuickState } from "../state/quick-state.ts";
import { followTheme } from "../state/theme.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// Lives as long as its page, like the main window's.
const state = new QuickState(window.parley);
state.start();
followTheme(state.info, document.documentElement);

createRoot(root).render(<QuickPrompt state={state} />);
