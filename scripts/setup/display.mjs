import { spawn } from "node:child_process";
import { once } from "node:events";
import { displayTrouble } from "../../electron/desktop/launch/display.mjs";
import { SetUpError } from "./say.mjs";
import { onPath } from "./system-libraries.mjs";

/** @throws SetUpError when no window can open here; `command` is what the user typed */
export async function expectDisplay(command) {
  const trouble = await displayTrouble(command, process.env);
  if (trouble === null) return;
  throw new SetUpError(
    trouble +
      (onPath("xvfb-run")
        ? ""
        : `\n  (first: ${process.getuid() === 0 ? "" : "sudo "}apt-get install -y xvfb xauth)`),
  );
}

/** Whether a display can be made that nobody sees. */
export const canHideDisplay = () => onPath("Xvfb");

/**
 * Runs `work` with the user's display, or, where none answers, with one that nobody sees; all else is the user's own.
 * @param work gets the environment variables that lead to it
 */
export async function withDisplay(work) {
  if ((await displayTrouble("npm start", process.env)) === null) return work({});
  const owned = [];
  try {
    const screen = ["-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset"];
    const display = await printed(owned, "Xvfb", ["-displayfd", "3", ...screen]);
    return await work({ DISPLAY: `:${display}`, WAYLAND_DISPLAY: undefined, XDG_SESSION_TYPE: "x11" });
  } finally {
    await Promise.all(owned.map(end));
  }
}

/**
 * Runs `work` with a screen and a message bus of its own, so that tests neither need a desktop nor disturb one.
 * @param work gets the environment variables that lead to them
 */
export async function withPrivateDesktop(work) {
  if (process.platform !== "linux") return work({});
  const owned = [];
  const endNow = () => {
    for (const child of owned) child.kill("SIGTERM");
    process.exit(1);
  };
  // A signal ends us without `finally`, and would leave the screen behind.
  for (const signal of signals) process.on(signal, endNow);
  try {
    const screen = ["-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset"];
    const display = await printed(owned, "Xvfb", ["-displayfd", "3", ...screen]);
    const bus = await printed(owned, "dbus-daemon", [
      "--session",
      "--nofork",
      "--nosyslog",
      "--print-address=3",
    ]);
    return await work({
      DISPLAY: `:${display}`,
      WAYLAND_DISPLAY: undefined,
      XDG_SESSION_TYPE: "x11",
      DBUS_SESSION_BUS_ADDRESS: bus,
    });
  } finally {
    for (const signal of signals) process.off(signal, endNow);
    await Promise.all(owned.map(end));
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Starts a server that says on descriptor 3 where it is once it is ready. */
async function printed(owned, program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  owned.push(child);
  const answer = new Promise((resolve) => {
    let text = "";
    child.stdio[3].setEncoding("utf8").on("data", (part) => {
      text += part;
      if (text.includes("\n")) resolve(text.trim());
    });
  });
  const failed = Promise.race([once(child, "error"), once(child, "exit")]).then(() => undefined);
  const line = await Promise.race([answer, failed]);
  if (line === undefined) throw new SetUpError(`${program} did not start.`);
  return line;
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
