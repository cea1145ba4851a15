import type { ElicitRequestFormParams, PrimitiveSchemaDefinition } from "@modelcontextprotocol/sdk/types.js";
import { namesSecret } from "../../../shared/safety/redact.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import type { FormField } from "../../../shared/servers/forms.ts";

const maxFields = 50;
/** Of one field. */
const maxChoices = 1000;

/**
 * What a server asks for, as fields of a form. Its words are shown with what would hide in them.
 * @param message what stands above the form
 * @throws Error in words for the server, where that is too much for a form
 */
export function formFields({
  message,
  requestedSchema: { properties, required = [] },
}: Pick<ElicitRequestFormParams, "message" | "requestedSchema">): FormField[] {
  const entries = Object.entries(properties);
  if (entries.length > maxFields)
    throw new Error(`The form has ${entries.length} fields; up to ${maxFields} are shown.`);
  return entries.map(([name, schema]) => {
    const { title = "", description = "" } = schema;
    const kind = kindOf(schema);
    const choices = kind.choices?.length ?? 0;
    if (choices > maxChoices)
      throw new Error(`The field ${name} has ${choices} choices; up to ${maxChoices} are shown.`);
    const isTyped = ["text", "number", "integer"].includes(kind.kind);
    const isSecret = isTyped && [message, name, title, description].some(namesSecret);
    return {
      name,
      label: visibleText(schema.title ?? name),
      ...(schema.description !== undefined && { description: visibleText(schema.description) }),
      isRequired: required.includes(name),
      ...(isSecret && { isSecret }),
      ...(schema.default !== undefined && { default: schema.default }),
      ...kind,
    };
  });
}

type Kind = Pick<FormField, "kind" | "format" | "least" | "most" | "choices">;

function kindOf(schema: PrimitiveSchemaDefinition): Kind {
  switch (schema.type) {
    case "boolean":
      return { kind: "boolean" };
    case "number":
    case "integer":
      return { kind: schema.type, ...bounds(schema.minimum, schema.maximum) };
    case "array": {
      const { items, minItems, maxItems } = schema;
      const choices = "anyOf" in items ? titled(items.anyOf) : plain(items.enum);
      return { kind: "choices", choices, ...bounds(minItems, maxItems) };
    }
    case "string": {
      if ("oneOf" in schema) return { kind: "choice", choices: titled(schema.oneOf) };
      if ("enum" in schema) {
        const names = "enumNames" in schema ? schema.enumNames : undefined;
        return { kind: "choice", choices: plain(schema.enum, names) };
      }
      const format = "format" in schema && schema.format !== undefined ? { format: schema.format } : {};
      return "minLength" in schema || "maxLength" in schema
        ? { kind: "text", ...format, ...bounds(schema.minLength, schema.maxLength) }
        : { kind: "text", ...format };
    }
  }
}

const bounds = (least: number | undefined, most: number | undefined) => ({
  ...(least !== undefined && { least }),
  ...(most !== undefined && { most }),
});

const titled = (options: readonly { const: string; title: string }[]) =>
  options.map(({ const: value, title }) => ({ value, label: visibleText(title) }));

const plain = (values: readonly string[], names: readonly string[] = []) =>
  values.map((value, index) => ({ value, label: visibleText(names[index] ?? value) }));
