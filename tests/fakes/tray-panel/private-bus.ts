import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { endsWithUs } from "../../fixtures/ends-with-us.ts";

/** A message bus of the test's own: nobody's desktop is on it. */
export async function startPrivateBus(): Promise<{ address: string; dispose(): Promise<void> }> {
  const daemon = spawn("dbus-daemon", ["--session", "--nofork", "--nosyslog", "--print-address=3"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  endsWithUs(daemon);
  const addresses = daemon.stdio[3];
  if (!(addresses instanceof Readable)) throw new Error("dbus-daemon has no pipe for its address.");
  const [address] = await Promise.race([
    once(addresses, "data"),
    once(daemon, "error").then(([error]) => Promise.reject(error)),
  ]);
  return {
    address: String(address).trim(),
    async dispose() {
      const ended = once(daemon, "exit");
      daemon.kill();
      await ended;
    },
  };
}
