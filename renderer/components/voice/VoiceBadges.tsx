import type { VoicePanelView } from "../../../shared/voice/voice-panel.ts";

/** What people must know while it is so: speech leaves this computer, or is being kept. */
export function VoiceBadges({ panel }: { panel: VoicePanelView | null }) {
  return (
    <>
      {panel?.server != null && (
        <span
          className="pill amber"
          data-testid="speech-leaves"
          title="What is said leaves Parley: this MCP server recognises it"
        >
          ↗ Sent to {panel.server}
        </span>
      )}
      {panel?.recordingTo != null && (
        <span className="pill amber" data-testid="recording" title={`Kept in ${panel.recordingTo}`}>
          ● Recording
        </span>
      )}
    </>
  );
}
