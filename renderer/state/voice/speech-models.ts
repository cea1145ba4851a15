import type { SttModel } from "../../../shared/voice/stt.ts";

/** Whether it speaks; the others hear, or write what was heard. */
export const isVoice = ({ kind }: SttModel): boolean => kind.endsWith("-voice");

/** The value of `voice.voice` that means this model. */
export const voiceOf = ({ id }: SttModel): string => `model:${id}`;
