import { useEffect, useState } from "react";
import { fleetingDraft } from "../../state/conversation/drafts.ts";
import type { QuickState } from "../../state/quick-state.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { PromptField } from "../composer/PromptField.tsx";
import { usePromptField } from "../composer/use-prompt-field.ts";
import styles from "./QuickPrompt.module.css";

/** The text box of the quick window. It is empty and has the keyboard when it is made anew. */
export function QuickBox({ state }: { state: QuickState }) {
  const info = useStore(state.info);
  const [draft] = useState(fleetingDraft);
  const field = usePromptField({
    draft,
    commands: info?.commands ?? [],
    onFindAttachments: state.findAttachments,
  });
  const { box } = field;
  useEffect(() => box.current?.focus(), [box]);
  return (
    <div className={styles.ask}>
      <span className="dot" aria-hidden="true" />
      <div className={styles.field}>
        <PromptField
          field={field}
          label={texts.quick.label}
          placeholder={texts.quick.placeholder}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            void field.submit(state.submit);
          }}
        />
      </div>
    </div>
  );
}
