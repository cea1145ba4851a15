import type { PermissionRule } from "../../shared/safety/permissions.ts";

/** What the user allowed for a conversation, for as long as Parley runs. */
export class SessionRules {
  readonly #rules = new Map<string, readonly PermissionRule[]>();

  of(conversationId: string): readonly PermissionRule[] {
    return this.#rules.get(conversationId) ?? [];
  }

  add(conversationId: string, rules: readonly PermissionRule[]): void {
    this.#rules.set(conversationId, [...this.of(conversationId), ...rules]);
  }

  clear(conversationId: string): void {
    this.#rules.delete(conversationId);
  }
}
