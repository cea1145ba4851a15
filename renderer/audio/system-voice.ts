import type { PlaybackEvent, PlaybackRequest } from "../../shared/voice/speech.ts";

type Part = Extract<PlaybackRequest, { type: "system" }>;

/** About how long a character takes to be said, in milliseconds: a system voice tells words, not times. */
const msPerChar = 60;

/** Chromium asks the system for its voices when a page first does, and says when it has them. Milliseconds. */
const voicesWaitMs = 1_500;

/**
 * Speaks with a voice of the system, which plays it itself: the position is exact to the word, where it tells words.
 * @param isWanted asked when the voices are known: it may have been stopped meanwhile
 */
export async function speakWithSystem(
  part: Part,
  volume: number,
  isWanted: () => boolean,
  tell: (event: PlaybackEvent) => void,
): Promise<void> {
  const { turn, id, text, rate } = part;
  const fail = (message: string) => tell({ type: "failed", turn, id, message });
  const voices = await systemVoices();
  if (!isWanted()) return;
  const voice = voices.find(({ name }) => part.voice === "" || name === part.voice);
  if (!voice) {
    const lacks = voices.length === 0 ? "no voices of its own" : `no voice “${part.voice}”`;
    fail(`This computer has ${lacks}. Choose an embedded one.`);
    return;
  }
  const utterance = new SpeechSynthesisUtterance(text);
  Object.assign(utterance, { rate, volume, ...(part.voice === "" ? {} : { voice }) });
  utterance.onstart = () => tell({ type: "started", turn, id, at: Date.now() });
  utterance.onboundary = ({ charIndex }) =>
    tell({ type: "position", turn, id, playedMs: charIndex * msPerChar, totalMs: text.length * msPerChar });
  utterance.onend = () => tell({ type: "ended", turn, id });
  utterance.onerror = ({ error }) => {
    // Stopped by us, which whoever stopped it knows.
    if (error !== "canceled" && error !== "interrupted") fail(`The system's voice failed: ${error}.`);
  };
  speechSynthesis.speak(utterance);
}

function systemVoices(): Promise<SpeechSynthesisVoice[]> {
  const known = speechSynthesis.getVoices();
  if (known.length > 0) return Promise.resolve(known);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(patience);
      speechSynthesis.removeEventListener("voiceschanged", done);
      resolve(speechSynthesis.getVoices());
    };
    const patience = setTimeout(done, voicesWaitMs);
    speechSynthesis.addEventListener("voiceschanged", done);
  });
}
