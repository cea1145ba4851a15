import { closest, distance } from "fastest-levenshtein";
import {
  type Effort,
  type EffortSupport,
  effortNames,
  effort as effortShape,
} from "../../shared/conversation/effort.ts";
import { type NamedProvider, namedModel } from "../../shared/conversation/model-choice.ts";
import { modelName } from "../../shared/conversation/model-name.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";

/** Who answers in a conversation, as it is now. */
interface AnsweringModel {
  provider: string;
  /** Full id; null: no model answers. */
  modelId: string | null;
  /** The same, or why nobody answers. */
  label: string;
  effort: Effort;
  efforts: EffortSupport;
}

export interface ModelCommandOptions {
  now(conversationId: string): AnsweringModel;
  choose(conversationId: string, changes: { model?: string | null; effort?: Effort | null }): void;
  /** Names that stand for a model, such as `opus`, and which that is. @param provider null: of the one that answers */
  aliases(conversationId: string, provider: NamedProvider | null): readonly { alias: string; id: string }[];
  /** Ids of what the provider offers; null: it has no list. @throws Error where it cannot be asked */
  list(conversationId: string, provider: NamedProvider | null): Promise<readonly string[] | null>;
  /** Who else could answer, as keys and settings permit. */
  others(conversationId: string): readonly NamedProvider[];
}

/** Of a long list an answer shows so many. */
const mostListed = 40;

/** `/model`: who answers in this conversation. */
export function modelCommand(options: ModelCommandOptions): Command {
  return {
    name: "model",
    usage: "/model [NAME | PROVIDER:NAME | default]",
    description: "Choose the model of this conversation; without a name, list the models",
    run: async ([name = "", ...more], { conversationId }) => {
      if (more.length > 0) return wrong("A model's name is one word.");
      if (name === "") return await show(options, conversationId);
      if (name.toLowerCase() === "default") {
        options.choose(conversationId, { model: null });
        return chosen(options, conversationId);
      }
      const { provider, model } = namedModel(name);
      const others = options.others(conversationId);
      // Whoever may not answer is not asked for a list either.
      if (provider !== null && ![...others, options.now(conversationId).provider].includes(provider)) {
        return wrong(
          `A model of \`${provider}\` cannot answer here: there is no key for it, or the setting \`provider\` is \`local\` or \`offline\`.`,
        );
      }
      const aliases = options.aliases(conversationId, provider);
      const isAlias = aliases.some(({ alias }) => alias === model.toLowerCase());
      const doubt = isAlias ? null : await doubtOf(options, conversationId, name);
      if (doubt?.isError) return doubt;
      options.choose(conversationId, { model: isAlias ? name.toLowerCase() : name });
      return chosen(options, conversationId, doubt?.output);
    },
  };
}

/** `/effort`: how much the model thinks in this conversation. */
export function effortCommand(options: ModelCommandOptions): Command {
  return {
    name: "effort",
    usage: "/effort [off | low | medium | high | default]",
    description: "How much the model thinks before it answers in this conversation",
    run: ([word = "", ...more], { conversationId }) => {
      const { efforts, label, effort } = options.now(conversationId);
      if (word === "") {
        return {
          output: `Effort: **${effortNames[effort]}**${notTaken(effort, efforts)}. ${taken(label, efforts)}`,
        };
      }
      const asked = effortShape.safeParse(word.toLowerCase());
      if (!asked.success || more.length > 0) {
        return wrong(`There is no effort \`${[word, ...more].join(" ")}\`. ${taken(label, efforts)}`);
      }
      if (asked.data !== "default" && !efforts.taken.includes(asked.data)) {
        return wrong(`${modelName(label)} does not take that. ${taken(label, efforts)}`);
      }
      options.choose(conversationId, { effort: asked.data });
      return {
        output: `Effort: **${effortNames[asked.data]}**, from the next prompt on.${least(asked.data, efforts)}`,
      };
    },
  };
}

function taken(label: string, { taken: levels, why, isGuess }: EffortSupport): string {
  const name = modelName(label);
  const reason = why === null ? "" : ` ${why}`;
  if (levels.length === 0) return `How much ${name} thinks cannot be set.${reason}`;
  const words = [...levels, "default"].map((level) => `\`${level}\``).join(", ");
  return `${name} takes ${words}${isGuess ? ", as far as its server does" : ""}.${reason}`;
}

const notTaken = (chosen: Effort, { taken: levels }: EffortSupport) =>
  chosen === "default" || levels.includes(chosen) ? "" : ", which this model can't use: it decides by itself";

const least = (chosen: Effort, { offIsLeast }: EffortSupport) =>
  chosen === "off" && offIsLeast ? " It cannot stop thinking: it thinks as little as it can." : "";

function chosen({ now }: ModelCommandOptions, conversationId: string, doubt?: string): CommandAnswer {
  const { label, effort, efforts } = now(conversationId);
  const parts = [`**${label}** answers in this conversation from the next prompt on.`];
  if (effort !== "default") parts.push(`Effort: ${effortNames[effort]}${notTaken(effort, efforts)}.`);
  if (doubt !== undefined) parts.push(doubt);
  return { output: parts.join(" ") };
}

/** @returns why it may be the wrong name; null where the provider has it */
async function doubtOf(
  { list }: ModelCommandOptions,
  conversationId: string,
  chosenName: string,
): Promise<CommandAnswer | null> {
  const { provider, model: name } = namedModel(chosenName);
  let ids: readonly string[] | null;
  try {
    ids = await list(conversationId, provider);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { output: `Could not check whether this model exists: ${why}` };
  }
  if (ids === null) return { output: "Parley can't check whether this model exists." };
  // Ids with a date also go by the name without it.
  if (ids.some((id) => id === name || id.startsWith(`${name}-`))) return null;
  const near = nearNames(name, ids).map((id) => (provider === null ? id : `${provider}:${id}`));
  const hint =
    near.length > 0 ? `Did you mean ${near.map((id) => `\`${id}\``).join(" or ")}?` : "`/model` lists them.";
  return wrong(`The provider has no model \`${name}\`. ${hint}`);
}

function nearNames(name: string, ids: readonly string[]): string[] {
  const parts = ids.filter((id) => id.includes(name.toLowerCase())).slice(0, 3);
  if (parts.length > 0 || ids.length === 0) return parts;
  const nearest = closest(name, [...ids]);
  return distance(name, nearest) <= Math.max(3, name.length / 3) ? [nearest] : [];
}

async function show(options: ModelCommandOptions, conversationId: string): Promise<CommandAnswer> {
  const { label, effort, efforts } = options.now(conversationId);
  const aliases = options.aliases(conversationId, null);
  const lines = [
    `**${label}** answers in this conversation. Effort: ${effortNames[effort]}${notTaken(effort, efforts)}.`,
    ...(aliases.length > 0 ? ["", ...aliases.map(({ alias, id }) => `- \`${alias}\` is ${id}`)] : []),
  ];
  try {
    const ids = await options.list(conversationId, null);
    if (ids !== null && ids.length > 0) {
      const left = ids.length - mostListed;
      lines.push("", "The provider offers:", "", ...ids.slice(0, mostListed).map((id) => `- ${id}`));
      if (left > 0) lines.push(`- … and ${left} more`);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    lines.push("", `Could not get the provider's list of models: ${why}`);
  }
  const others = options.others(conversationId).map((provider) => `\`/model ${provider}:NAME\``);
  if (others.length > 0) lines.push("", `Others can answer, too: ${others.join(", ")}.`);
  return { output: lines.join("\n") };
}

const wrong = (output: string): CommandAnswer => ({ output, isError: true });
