import { contextBridge, ipcRenderer } from "electron";
import type { IpcPush, ParleyBridge } from "../shared/ipc.ts";

// The names stand here once more because a sandboxed preload is one file; a type error keeps them equal.
const channel = {
  call: "parley:call",
  push: "parley:push",
  audioPort: "parley:audio-port",
  playbackPort: "parley:playback-port",
} as const satisfies typeof import("../shared/ipc.ts").ipcChannel;

/** All that a page can reach: one typed object, never `ipcRenderer` itself. */
const bridge: ParleyBridge = {
  call: (route, input) => ipcRenderer.invoke(channel.call, route, input),
  onPush: (listener) => {
    const forward = (_event: unknown, push: IpcPush) => listener(push);
    ipcRenderer.on(channel.push, forward);
    return () => ipcRenderer.off(channel.push, forward);
  },
};

contextBridge.exposeInMainWorld("parley", bridge);

// A port cannot pass the bridge; it goes to the page as a message. Only the audio page is ever sent one.
for (const name of [channel.audioPort, channel.playbackPort]) {
  ipcRenderer.on(name, (event) => window.postMessage(name, window.location.origin, event.ports));
}
