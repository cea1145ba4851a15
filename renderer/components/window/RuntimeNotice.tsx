import { texts } from "../../texts/texts.ts";

/** Where the runtime that Parley declares could not be had. It stays: what it says stays true. */
export function RuntimeNotice({ version }: { version: string }) {
  return (
    <p className="notice-line warning" role="note" data-testid="runtime-notice">
      {texts.window.runtime(version)}
    </p>
  );
}
