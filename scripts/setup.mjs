import { runtimeLine } from "./setup/electron-runtime.mjs";
import { orExit, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm run setup: everything that `npm start` does before it opens the window.
await orExit(async () => say(`ready, ${runtimeLine(await setUp())}`));
