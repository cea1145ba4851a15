import { withoutMarks } from "../../../shared/conversation/data-marks.ts";
import type { Tool } from "../../agent/ports/ports.ts";

/**
 * A tool that answers with words of others, such as what stands in a file or what a program says: nothing in its results
 * passes for a mark of Parley's own.
 */
export function asData(tool: Tool): Tool {
  return {
    ...tool,
    async run(input, context) {
      try {
        const output = await tool.run(input, context);
        return { ...output, text: withoutMarks(output.text) };
      } catch (error) {
        if (error instanceof Error) error.message = withoutMarks(error.message);
        throw error;
      }
    },
  };
}
