import { contextBridge, ipcRenderer } from "electron";
import type { ParleyBridge } from "../shared/ipc/ipc.ts";
import type { IpcPush } from "../shared/ipc/push.ts";
import { ipcChannel } from "../shared/ipc-channel.ts";

performance.mark("preload");

/** All that a page can reach: one typed object, never `ipcRenderer` itself. */
const bridge: ParleyBridge = {
  call: (route, input) => ipcRenderer.invoke(ipcChannel.call, route, input),
  onPush: (listener) => {
    const forward = (_event: unknown, push: IpcPush) => listener(push);
    ipcRenderer.on(ipcChannel.push, forward);
    return () => ipcRenderer.off(ipcChannel.push, forward);
  },
};

contextBridge.exposeInMainWorld("parley", bridge);

// A port cannot pass the bridge; it goes to the page as a message. Only the audio page is ever sent one.
for (const name of [ipcChannel.audioPort, ipcChannel.playbackPort]) {
  ipcRenderer.on(name, (event) => window.postMessage(name, window.location.origin, event.ports));
}
