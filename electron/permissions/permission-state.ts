import type { PermissionMode, PermissionRule } from "../../shared/permissions.ts";

/** Where the mode of a conversation is kept; in memory unless somebody keeps it longer. */
export interface ModeStore {
  /** undefined: the user chose none, the settings' mode counts. */
  load(conversationId: string): PermissionMode | undefined;
  save(conversationId: string, mode: PermissionMode): void;
}

export function memoryModes(): ModeStore {
  const modes = new Map<string, PermissionMode>();
  return {
    load: (conversationId) => modes.get(conversationId),
    save: (conversationId, mode) => void modes.set(conversationId, mode),
  };
}

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
