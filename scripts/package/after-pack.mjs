import { rm } from "node:fs/promises";
import { join } from "node:path";

/** Takes out what a runtime starts without an app: electron-builder leaves it in when it copies an unpacked runtime. */
export default async function afterPack({ packager, appOutDir }) {
  await rm(join(packager.getResourcesDir(appOutDir), "default_app.asar"), { force: true });
}
