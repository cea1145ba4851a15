import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Asker, ConnectionContext } from "../ports.ts";

/** Questions of one server that may wait for the user at once. */
const maxOpen = 10;
/** Of one question, in UTF-16 units of JSON. */
const maxQuestionChars = 200_000;

/** What a server is told that it can ask of us. */
export function capabilitiesOf({ sampling, elicitation }: ConnectionContext): ClientCapabilities {
  return {
    roots: { listChanged: true },
    ...(sampling && { sampling: {} }),
    ...(elicitation && { elicitation: { form: { applyDefaults: true } } }),
  };
}

/**
 * Answers what a server asks of us: where it works, and, through the user, the model or the user. It is told what is too much.
 * @returns how many of them wait for the user
 */
export function answerRequests(client: Client, server: Asker, context: ConnectionContext): () => number {
  const { sampling, elicitation, workingFolder } = context;
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: [{ uri: pathToFileURL(workingFolder).href, name: basename(workingFolder) }],
  }));
  let open = 0;
  const answered = async <T>(question: unknown, answer: () => Promise<T>): Promise<T> => {
    const { length } = JSON.stringify(question);
    if (length > maxQuestionChars)
      throw new Error(`The question has ${length} characters; up to ${maxQuestionChars} are taken.`);
    if (open >= maxOpen)
      throw new Error(`${maxOpen} questions wait for the user. Ask again when one of them is answered.`);
    open++;
    try {
      return await answer();
    } finally {
      open--;
    }
  };
  if (sampling) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }, { signal }) =>
      answered(params, () => sampling(server, params, signal)),
    );
  }
  if (elicitation) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
      answered(params, () => elicitation(server, params, signal)),
    );
  }
  return () => open;
}
