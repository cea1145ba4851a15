import { use } from "react";
import { texts } from "../../../texts/texts.ts";
import { RowActionsContext } from "../../sessions/row-actions.ts";
import { Icon } from "../../ui/Icon.tsx";

interface SayRestButtonProps {
  rest: { messageId: string; heard: string };
}

/** Says what was not heard of a reply. */
export function SayRestButton({ rest: { messageId, heard } }: SayRestButtonProps) {
  const { sayRest } = use(RowActionsContext);
  return (
    <button
      type="button"
      className="btn ghost"
      data-testid="say-rest"
      title={texts.voice.sayRestTitle}
      onClick={() => sayRest(messageId, heard)}
    >
      <Icon name="play" size={12} />
      {texts.voice.goOn}
    </button>
  );
}
