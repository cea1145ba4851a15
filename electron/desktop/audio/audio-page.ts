import { appOrigin } from "../shell/app-protocol.ts";

/** Whether this is the hidden page that owns the microphone: no other page gets a device. */
export const isAudioPage = (url: string): boolean => url.startsWith(`${appOrigin}/audio/`);
