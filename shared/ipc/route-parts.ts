import { z } from "zod";

/** Longest prompt accepted, in UTF-16 units. */
export const maxPromptChars = 1_000_000;

export const conversationId = z.string().min(1);

/** Of a route: what it answers, where there is more to read than whether it worked. A type alone: it holds nothing. */
export const answers = <Answer>(): { readonly answer?: Answer } => ({});
