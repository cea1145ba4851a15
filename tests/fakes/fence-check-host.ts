import { fenceRig } from "../fixtures/fences.ts";

/** A program that looks whether there is a fence, as Parley does, to be killed meanwhile: BUBBLEWRAP in place of the system's. */
const [bwrap = ""] = process.argv.slice(2);
const rig = fenceRig({ programs: () => ({ bwrap, socat: "/usr/bin/socat" }) });
await rig.fences.check();
