/** The channels between main and its pages. They stand apart: the preload is one file, and needs nothing else of them. */
export const ipcChannel = {
  call: "parley:call",
  push: "parley:push",
  audioPort: "parley:audio-port",
  playbackPort: "parley:playback-port",
} as const;
