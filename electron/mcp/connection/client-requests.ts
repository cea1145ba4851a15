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

/** What a server is told that it can ask of us. */
export function capabilitiesOf({ sampling, elicitation }: ConnectionContext): ClientCapabilities {
  return {
    roots: { listChanged: true },
    ...(sampling && { sampling: {} }),
    ...(elicitation && { elicitation: { form: { applyDefaults: true } } }),
  };
}

/**
 * Answers what a server asks of us: where it works, and, through the user, the model or the user.
 * @param onAsked called when the user has to do something, its result when they have done it
 */
export function answerRequests(
  client: Client,
  server: Asker,
  context: ConnectionContext,
  onAsked: () => () => void,
): void {
  const { sampling, elicitation, workingFolder } = context;
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: [{ uri: pathToFileURL(workingFolder).href, name: basename(workingFolder) }],
  }));
  if (sampling) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }, { signal }) =>
      sampling(server, params, signal).finally(onAsked()),
    );
  }
  if (elicitation) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
      elicitation(server, params, signal).finally(onAsked()),
    );
  }
}
