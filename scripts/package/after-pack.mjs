import { rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup/run.mjs";
import { writeNotices } from "./notices.mjs";

/** Says whose packages are in it, and takes out what a runtime starts without an app: electron-builder leaves that in when it copies one. */
export default async function afterPack({ packager, appOutDir }) {
  const resources = packager.getResourcesDir(appOutDir);
  await rm(join(resources, "default_app.asar"), { force: true });
  await writeNotices({ resources, built: join(root, "out") });
}
