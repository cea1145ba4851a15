import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The keys of the whole display, as its server delivers them to every program: not events of one page. */
export const keyboard = {
  /** @param key as X names it: `F9`, `ctrl` */
  down: (key: string) => run("xdotool", ["keydown", key]),
  /** @param keys such as `ctrl+alt+F7` */
  press: (keys: string) => run("xdotool", ["key", keys]),
  up: (key: string) => run("xdotool", ["keyup", key]),
};
