import type { MathJsInstance, MathNode } from "mathjs";
import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";

const maxChars = 500;

const input = z.object({
  expression: z
    .string()
    .min(1)
    .max(maxChars)
    .describe("Such as 12 * 9, sqrt(2) * 10^3, or 5 inch to cm. Write 20% of 50 as 0.2 * 50."),
});

/** Arithmetic, elementary functions and units. */
export const calculateTool: Tool<z.infer<typeof input>> = {
  name: "calculate",
  description:
    "Calculate: arithmetic, elementary functions and unit conversions. Use it instead of working out numbers yourself.",
  input,
  effect: "read",
  async run({ expression }) {
    const math = await loadMath();
    const tree = math.parse(expression);
    tree.traverse((node) => checkNode(node, math));
    const value: unknown = tree.evaluate();
    if (typeof value === "function") throw new Error("That is a function without its arguments.");
    // Fewer digits than a number has hide its errors behind the point; before it all of them are right.
    const isWhole = Number.isSafeInteger(value);
    const result = isWhole
      ? String(value)
      : math.format(value, { precision: 14, lowerExp: -9, upperExp: 15 });
    return { text: `${expression.trim()} = ${result}` };
  },
};

/** At first use: the start of the app should not wait for it. */
async function loadMath(): Promise<MathJsInstance> {
  const { default: math } = await import("mathjs/lib/browser/math.js");
  return math;
}

/**
 * Only what is listed is evaluated. The list leaves out everything that defines names, reads or makes functions,
 * parses strings, or can take long: on plain numbers each of these is one step.
 */
const functions: ReadonlySet<string> = new Set(
  `abs sign sqrt cbrt nthRoot exp log log2 log10 pow mod round floor ceil fix min max sum mean median hypot gcd lcm
   sin cos tan asin acos atan atan2 sinh cosh tanh`.split(/\s+/),
);
const constants: ReadonlySet<string> = new Set(["pi", "e", "tau", "phi", "Infinity"]);
const operators: ReadonlySet<string> = new Set(
  "add subtract multiply divide mod pow unaryMinus unaryPlus factorial to".split(" "),
);

function checkNode(node: MathNode, math: MathJsInstance): void {
  if (isNode(math.isConstantNode, node)) {
    if (typeof node.value !== "number") throw refused("text");
  } else if (isNode(math.isFunctionNode, node)) {
    const name = isNode(math.isSymbolNode, node.fn) ? node.fn.name : "this call";
    if (!functions.has(name)) throw refused(`the function ${name}`);
  } else if (isNode(math.isOperatorNode, node)) {
    if (!operators.has(node.fn)) throw refused(`the operator ${node.op}`);
  } else if (isNode(math.isSymbolNode, node)) {
    const { name } = node;
    const known = functions.has(name) || constants.has(name) || math.Unit.isValuelessUnit(name);
    if (!known) throw new Error(`"${name}" is not known. Write numbers, units and functions such as sqrt.`);
  } else if (!isNode(math.isParenthesisNode, node)) {
    throw refused("this kind of expression");
  }
}

const refused = (what: string) =>
  new Error(`Only arithmetic, elementary functions and units can be calculated, not ${what}.`);

/** mathjs's own guards, whose declared types do not narrow. */
function isNode<T extends MathNode>(guard: (x: unknown) => x is T, node: MathNode): node is T {
  return guard(node);
}
