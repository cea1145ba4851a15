import type { Command } from "./registry.ts";

/** `/settings`: opens their page. @param show opens it in the window */
export const settingsCommand = (show: () => void): Command => ({
  name: "settings",
  usage: "/settings",
  description: "Opens the settings",
  run: () => {
    show();
    return { output: "The settings are open." };
  },
});
