import { expect, test } from "vitest";
import { z } from "zod";
import { agentEvent } from "../../../shared/conversation/events.ts";

type Schema = z.core.JSONSchema.BaseSchema;

/** A schema in a few characters, as a reader of the event stream needs it. */
function shape(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" \\| ");
  if (schema.anyOf)
    return schema.anyOf.map((one) => (typeof one === "object" ? shape(one) : "any")).join(" \\| ");
  if (schema.oneOf) return "object";
  if (schema.type === "array") {
    const { items } = schema;
    return `${typeof items === "object" && !Array.isArray(items) ? shape(items) : "any"}[]`;
  }
  // `type` is a list where null is allowed.
  return schema.type === undefined ? "any" : [schema.type].flat().join(" \\| ");
}

function row(option: Schema): string {
  const { properties = {}, required = [] } = option;
  const fields = Object.entries(properties)
    .filter(([name]) => !["id", "conversationId", "at", "type"].includes(name))
    .map(([name, field]) => {
      const mark = required.includes(name) ? "" : "?";
      return `\`${name}${mark}\`: ${typeof field === "object" ? shape(field) : "any"}`;
    });
  const { type } = properties;
  const name = typeof type === "object" ? String(type.const) : "";
  return `| \`${name}\` | ${fields.join(" · ") || "–"} |`;
}

// The page is made from the schemas: `npx vitest run tests/unit/shared/events-doc.test.ts -u` writes it anew.
test("docs/events.md says what the schemas say", async () => {
  const { oneOf = [] } = z.toJSONSchema(agentEvent, { unrepresentable: "any" });
  const rows = oneOf.flatMap((option) => (typeof option === "object" ? [row(option)] : []));
  expect(rows.length).toBeGreaterThan(20);
  const page = `# Events

Everything that happens in a conversation is one of these events, in one stream that windows, log, database and tests all read.
Each has \`id\` (from 1, without gaps, within its conversation), \`conversationId\`, \`at\` (milliseconds since the epoch) and
\`type\`. This page is generated from the schemas in \`shared/conversation/events.ts\`, which also explain them.

| \`type\` | Its own fields |
|---|---|
${rows.join("\n")}
`;
  await expect(page).toMatchFileSnapshot("../../../docs/events.md");
});
