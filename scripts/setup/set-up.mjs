import { build } from "./build.mjs";
import { dependencies } from "./dependencies.mjs";
import { electronRuntime } from "./electron-runtime.mjs";
import { launcher } from "./launcher.mjs";
import { systemLibraries } from "./system-libraries.mjs";

/**
 * Brings a clone to where the app can run: packages, Electron, system libraries, build. Each step looks first and
 * does nothing when there is nothing to do; then the whole takes well under a second and no network.
 * @param options.forTests also what only the tests use
 * @param options.built false leaves out the build
 * @param options.command false leaves the `parley` command as it is: it starts the runtime that the clone is used with
 * @returns the Electron runtime
 * @throws SetUpError when a step cannot go on
 */
export async function setUp({ forTests = false, built = true, command = true } = {}) {
  await dependencies();
  const runtime = await electronRuntime();
  await systemLibraries({ executable: runtime.executable, forTests });
  if (built) await build();
  if (command) await launcher(runtime);
  return runtime;
}
