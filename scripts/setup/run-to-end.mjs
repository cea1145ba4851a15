import { spawn } from "node:child_process";
import { root } from "./run.mjs";

/**
 * Runs the program that this command is about: our terminal is its terminal, our signals reach it, its exit code
 * becomes ours.
 */
export function runToEnd(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", ...options });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // Ctrl-C reaches the whole terminal group by itself; a second SIGINT would cut a graceful end short.
      if (signal === "SIGINT" && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
  return new Promise((done) => {
    child.on("error", (error) => {
      console.error(error.message);
      process.exitCode = 1;
      done();
    });
    child.on("close", (code) => {
      process.exitCode = code ?? 1;
      done();
    });
  });
}
