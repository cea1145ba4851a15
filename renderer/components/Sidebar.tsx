import type { ConversationSummary } from "../../shared/ipc.ts";
import { useStore } from "../state/store.ts";
import { isOn } from "../state/window-state.ts";
import { keyLabel, timeOfDay } from "../state/wording.ts";
import { useWindow } from "./window-context.ts";

interface SidebarProps {
  shownId: string | null;
  platform: string | undefined;
  /** Folds it away again where it covers the window. */
  onClose: () => void;
}

/** The conversations of this run, newest first, and a new one. */
export function Sidebar({ shownId, platform, onClose }: SidebarProps) {
  const window = useWindow();
  const conversations = useStore(window.conversations);
  const voice = useStore(window.voice);
  const newest = conversations.toSorted((a, b) => b.updatedAt - a.updatedAt);
  const key = keyLabel(platform, "N");
  return (
    <>
      <nav className="sidebar" aria-label="Conversations">
        <div className="brand">
          <span className="dot" aria-hidden="true" />
          Parley
        </div>
        <button
          type="button"
          className="btn primary"
          data-testid="new-conversation"
          title={`New conversation (${key})`}
          onClick={() => {
            onClose();
            void window.newConversation();
          }}
        >
          New conversation <kbd>{key}</kbd>
        </button>
        <ul>
          {newest.map((conversation) => (
            <li key={conversation.conversationId}>
              <button
                type="button"
                className="sess"
                data-testid="conversation-item"
                data-key={conversation.conversationId}
                aria-current={conversation.conversationId === shownId ? "page" : undefined}
                title={conversation.title}
                onClick={() => {
                  onClose();
                  window.show(conversation.conversationId);
                }}
              >
                <span className="title">{conversation.title}</span>
                <small>
                  {stateLine(
                    conversation,
                    isOn(voice.state) && voice.conversationId === conversation.conversationId,
                  )}
                </small>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <button
        type="button"
        className="backdrop"
        aria-label="Close the list"
        tabIndex={-1}
        onClick={onClose}
      />
    </>
  );
}

function stateLine(conversation: ConversationSummary, isListening: boolean): string {
  const parts = [timeOfDay(conversation.updatedAt)];
  if (conversation.state === "processing") parts.push("working");
  if (conversation.state === "awaiting_input") parts.push("waiting for you");
  if (isListening) parts.push("listening");
  return parts.join(" · ");
}
