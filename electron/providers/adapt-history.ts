import { createHash } from "node:crypto";
import type { ContentBlock } from "../../shared/conversation/messages.ts";
import type { ApiMessage } from "../agent/ports/ports.ts";

/**
 * A history for one API: the provider or the model may have changed in mid-conversation, and no API takes another's
 * thinking or ids as they are. `adapt` gives the block that is sent, null for one that is left out; a message with
 * nothing left goes, and neighbours of one role become one.
 */
export function adaptHistory(
  messages: readonly ApiMessage[],
  adapt: (block: ContentBlock) => ContentBlock | null,
): ApiMessage[] {
  const adapted: ApiMessage[] = [];
  // Those made here may grow; what is sent as it is belongs to the history.
  const own = new Set<ApiMessage>();
  for (const message of messages) {
    const content = adaptContent(message.content, adapt);
    if (content.length === 0) continue;
    const last = adapted.at(-1);
    if (last?.role === message.role) {
      if (own.has(last)) last.content.push(...content);
      else adapted[adapted.length - 1] = made({ role: last.role, content: [...last.content, ...content] });
    } else adapted.push(content === message.content ? message : made({ role: message.role, content }));
  }

  function made(message: ApiMessage): ApiMessage {
    own.add(message);
    return message;
  }
  return adapted;
}

/** The same array where nothing changes, as in most messages: a long history is sent in every round. */
function adaptContent(
  content: ContentBlock[],
  adapt: (block: ContentBlock) => ContentBlock | null,
): ContentBlock[] {
  let changed: ContentBlock[] | null = null;
  for (const [place, block] of content.entries()) {
    const sent = adapt(block);
    if (sent !== block) changed ??= content.slice(0, place);
    if (sent) changed?.push(sent);
  }
  return changed ?? content;
}

/**
 * How an API wants an id.
 * @param count 1; 2 and so on where what it gave before belongs to another id
 */
type IdForm = (id: string, count: number) => string;

/** Letters, digits, `_` and `-`, of limited length. */
export const idsUpTo =
  (maxLength: number): IdForm =>
  (id, count) => {
    const plain = plainName(id, maxLength);
    const suffix = count === 1 ? "" : `_${count}`;
    return plain.slice(0, maxLength - suffix.length) + suffix;
  };

/** Exactly nine letters or digits, as Mistral makes them. */
export const nineLetters: IdForm = (id, count) =>
  count === 1 && /^[a-zA-Z0-9]{9}$/.test(id)
    ? id
    : createHash("sha256").update(`${count} ${id}`).digest("hex").slice(0, 9);

/** Ids of calls as an API takes them, each still its own. */
export class ToolIds {
  readonly #form: IdForm;
  readonly #sent = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(form: IdForm) {
    this.#form = form;
  }

  /** The same for the same id, within one request and in the next ones. */
  sent(id: string): string {
    const known = this.#sent.get(id);
    if (known !== undefined) return known;
    let sent = this.#form(id, 1);
    for (let count = 2; this.#taken.has(sent); count++) sent = this.#form(id, count);
    this.#sent.set(id, sent);
    this.#taken.add(sent);
    return sent;
  }
}

/** A name that a model made up, in the letters that every API takes for a tool's name. */
export function plainName(name: string, maxLength = 64): string {
  if (name.length <= maxLength && /^[\w-]+$/.test(name)) return name;
  return name.replaceAll(/[^\w-]/g, "_").slice(0, maxLength) || "_";
}

/** A call's input as an object, which every API wants; models sometimes write something else. */
export function inputObject(input: unknown): Record<string, unknown> {
  return isRecord(input) ? input : { input };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
