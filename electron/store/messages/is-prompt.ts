import { promptOrigin } from "../../../shared/conversation/messages.ts";

/** Of a row of `messages`: a prompt as its user counts them. Words by which its speaker went on belong to the one before. */
export const isPromptRow = `origin IN (${promptOrigin.options.map((origin) => `'${origin}'`).join(", ")})
  AND NOT EXISTS (SELECT 1 FROM blocks WHERE message_id = messages.id AND json LIKE '%"continues":true%')`;
