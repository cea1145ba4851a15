import { playbackRequest, speechSamples } from "../../shared/voice/speech.ts";
import type { EchoLink } from "./echo-link.ts";
import { Player } from "./player.ts";
import { speakWithSystem } from "./system-voice.ts";

/** Does what main asks for over its port: plays what the speech process sends, or has the system speak. */
export function servePlayback(port: MessagePort, echo: EchoLink): void {
  const tell = (event: object) => port.postMessage(event);
  const player = new Player(tell, echo);
  echo.onNearSpeech(() => tell({ type: "near_speech", turn: player.turn, id: 0 }));
  let source: MessagePort | null = null;
  let volume = 1;
  port.onmessage = ({ data, ports }) => {
    const request = playbackRequest.parse(data);
    switch (request.type) {
      case "turn":
        speechSynthesis.cancel();
        speechSynthesis.resume();
        return player.begin(request.turn);
      case "open":
        return player.open();
      case "pause":
        speechSynthesis.pause();
        return player.pause(true);
      case "resume":
        speechSynthesis.resume();
        return player.pause(false);
      case "volume":
        volume = request.volume;
        return player.setVolume(volume);
      case "chime":
        // Without a device there is no note either; what is to be said tells why.
        return void player.chime(request.of).catch(() => {});
      case "system":
        return void speakWithSystem(request, volume, () => request.turn === player.turn, tell);
      case "source":
        source?.close();
        source = ports[0] ?? null;
        if (source) source.onmessage = (event) => player.play(speechSamples.parse(event.data));
    }
  };
  // Main is gone, or has connected anew.
  port.addEventListener("close", () => {
    speechSynthesis.cancel();
    source?.close();
    player.close();
  });
}
