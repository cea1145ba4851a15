import type { ReplyPlace } from "../../state/shown-conversation.ts";
import { textsIn } from "../transcript/find/ranges-in.ts";

/** Where a right-click, or the selection under it, is in a reply; null: in none. Texts in CSS pixels of the page. */
export function replyPlaceAt(event: MouseEvent): ReplyPlace | null {
  const target = event.target instanceof Element ? event.target : null;
  const reply = target?.closest<HTMLElement>('[data-testid="message-assistant"]');
  const messageId = reply?.dataset.key;
  if (!reply || !messageId) return null;
  const place = selectionIn(reply) ?? caretAt(event, reply);
  if (!place) return null;
  const [before, after] = [document.createRange(), document.createRange()];
  before.selectNodeContents(reply);
  after.selectNodeContents(reply);
  before.setEnd(place.node, place.offset);
  after.setStart(place.node, place.offset);
  return { messageId, before: textOf(before), after: textOf(after) };
}

function selectionIn(reply: Element) {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const { startContainer: node, startOffset: offset } = selection.getRangeAt(0);
  return reply.contains(node) ? { node, offset } : null;
}

function caretAt({ clientX, clientY }: MouseEvent, reply: Element) {
  const caret = document.caretPositionFromPoint(clientX, clientY);
  return caret && reply.contains(caret.offsetNode) ? { node: caret.offsetNode, offset: caret.offset } : null;
}

function textOf(range: Range): string {
  const copy = document.createElement("div");
  copy.append(range.cloneContents());
  return textsIn(copy).join("\n");
}
