import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";

// Plain JavaScript: `npm start` asks before any package is installed, and the app asks again.

/**
 * Where no display answers, Chromium ends the process in words that help nobody. A name of a form that is not known here is
 * left to Chromium.
 * @param {string} command what the user typed
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | null>} why no window can open here, and what helps; null where one can
 */
export async function displayTrouble(command, env) {
  if (process.platform !== "linux") return null;
  const named = ["DISPLAY", "WAYLAND_DISPLAY"].filter((name) => env[name]);
  const isAnswered = await Promise.all([answersX(env.DISPLAY), answersWayland(env)]);
  if (isAnswered.includes(true)) return null;
  const why =
    named.length === 0
      ? "There is no display to open a window on."
      : `Nothing answers at the display to open a window on: ${named.map((name) => `${name}=${env[name]}`).join(", ")}.`;
  return `${why} Start Parley in a desktop session, or over SSH with ssh -X. To run without a screen, type: xvfb-run -a ${command}`;
}

/** `[host]:number[.screen]`; a host is there over a network, as ssh -X makes it. */
async function answersX(display) {
  if (!display) return false;
  const [, host, number] = /^([^:/]*):(\d+)(?:\.\d+)?$/.exec(display) ?? [];
  if (number === undefined) return true;
  if (host !== "" && host !== "unix") return await answers({ host, port: 6000 + Number(number) });
  const path = `/tmp/.X11-unix/X${number}`;
  return (await answers({ path: `\0${path}` })) || (await answers({ path }));
}

async function answersWayland({ WAYLAND_DISPLAY: display, XDG_RUNTIME_DIR: folder }) {
  if (!display || (!folder && !display.startsWith("/"))) return false;
  return await answers({ path: display.startsWith("/") ? display : join(folder, display) });
}

async function answers(address) {
  try {
    const socket = connect(address);
    await once(socket, "connect");
    socket.destroy();
    return true;
  } catch {
    return false;
  }
}
