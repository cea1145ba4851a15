import { StoreError } from "../../agent/ports/ports.ts";

export function unknownSession(place: string, sessionId: string): StoreError {
  return new StoreError(
    "invalid",
    `There is no conversation ${sessionId} in ${place}.`,
    "It may have been deleted: start a new conversation.",
  );
}

export function unknownMessage(sessionId: string, messageId: string): StoreError {
  return new StoreError(
    "invalid",
    `There is no message ${messageId} in conversation ${sessionId}.`,
    "It may have been deleted: choose another one.",
  );
}
