import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { z } from "zod";
import { root } from "./setup/run.mjs";

/** The parts of the page. A setting is in the first one that fits its key. */
const parts = {
  "Models and keys":
    /^(provider|model|.*BaseUrl|localModelServers|keyAddresses|maxTokens|temperature|contextWindow|systemPromptExtra|prices)$/,
  Requests: /^(retry.*|requestTimeoutMs|streamIdleMs)$/,
  "Long conversations and limits":
    /^(compaction.*|protectedTail.*|maxConversation.*|maxT(urns|oolRounds.*)|maxContin.*|maxSession.*|loop.*)$/,
  Tools:
    /^(maxParallelTools|maxTool.*|tool.*|maxSubagent.*|shell.*|environment.*|webFetch.*|attach.*|mcpServers|workingFolder)$/,
  Permissions: /^(permission.*|fence.*)$/,
  "What is kept": /^(memory.*|durability|startWith|prune.*)$/,
  Rewind: /^(checkpoint.*|deleteLimit)$/,
  Voice: /^voice\./,
  "Window and log": /^/,
};

const sources = ["shared/settings.ts", "shared/safety/fence-settings.ts", "shared/voice/voice-settings.ts"];

/** docs/settings.md: each setting with its default and what the schema's docstring says. @throws Error where one says nothing */
export function settingsPage(schema) {
  const { properties } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const docs = new Map(sources.flatMap(docstringsOf));
  const rows = Object.entries(properties).map(([key, rule]) => {
    const doc = docs.get(key);
    if (!doc) throw new Error(`The setting ${key} has no docstring.`);
    const part = Object.keys(parts).find((name) => parts[name].test(key));
    return { part, row: `| \`${key}\` | ${defaultOf(rule)} | ${valuesOf(rule)} | ${doc} |` };
  });
  const tables = Object.keys(parts).map((name) => {
    const own = rows.filter(({ part }) => part === name).map(({ row }) => row);
    return [`## ${name}`, "", "| Key | Default | Values | Meaning |", "|---|---|---|---|", ...own].join("\n");
  });
  return `${[head, ...tables].join("\n\n")}\n`;
}

const head = `# Settings

<!-- Made by \`npm run settings-doc\` from the schema in shared/settings.ts. -->

Settings are in \`settings.json\` in the user-data folder (Help → About Parley says where). They apply from the next run on. The file
keeps only what differs from the defaults. Names that end in \`Ms\` are in milliseconds, in \`Mb\` in megabytes.`;

function defaultOf({ default: value }) {
  if (value === undefined || value === "") return "–";
  const isLong = typeof value === "object" && JSON.stringify(value).length > 60;
  if (isLong && Array.isArray(value)) return value.map((one) => `\`${one}\``).join(", ");
  if (isLong)
    return Object.entries(value)
      .map(([key, one]) => `${key} ${one}`)
      .join(", ");
  return typeof value === "string" ? `\`${value}\`` : JSON.stringify(value).replaceAll(",", ", ");
}

/** Choices, or the bounds of a number. */
function valuesOf({ enum: choices, type, minimum, maximum }) {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(", ");
  if (type !== "integer" && type !== "number") return "";
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `${minimum} or more`
    : `${minimum}–${maximum}`;
}

function docstringsOf(path) {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(root, path), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found = [];
  const visit = (node) => {
    if (ts.isPropertyAssignment(node)) {
      const text = ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(node)[0]?.comment);
      if (text) found.push([node.name.text, text.replaceAll("|", "\\|")]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
