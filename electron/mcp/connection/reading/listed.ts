import { z } from "zod";
import { isForArguments } from "../../tools/input-schema.ts";

/** What Parley reads of what servers list. Many write null, or something else, for what they do not have: it counts as left out. */

const word = z.string().optional().catch(undefined);
const yes = z.boolean().optional().catch(undefined);
const record = z.record(z.string(), z.unknown());
/** UTF-16 units. */
export const maxNameChars = 200;
const name = z.string().min(1).max(maxNameChars);

export const listedTool = z
  .object({
    name,
    title: word,
    description: word,
    inputSchema: z.unknown().optional(),
    annotations: z
      .object({ title: word, readOnlyHint: yes, destructiveHint: yes, openWorldHint: yes })
      .optional()
      .catch(undefined),
  })
  .transform(({ inputSchema, ...tool }, context) => {
    // PHP writes an empty list for an object without anything in it.
    const isOpen = inputSchema === true || (Array.isArray(inputSchema) && inputSchema.length === 0);
    const schema = record.safeParse(isOpen ? {} : (inputSchema ?? {})).data;
    if (schema && isForArguments(schema)) return { ...tool, inputSchema: schema };
    context.addIssue("its input schema is not one of arguments");
    return z.NEVER;
  });
export type ListedTool = z.infer<typeof listedTool>;

export const listedPrompt = z.object({
  name,
  title: word,
  description: word,
  arguments: z
    .array(z.object({ name, description: word, required: yes }))
    .optional()
    .catch(undefined),
});
export type ListedPrompt = z.infer<typeof listedPrompt>;

export const listedResource = z.object({
  uri: z.string().min(1),
  name: word,
  title: word,
  description: word,
});
export type ListedResource = z.infer<typeof listedResource>;
