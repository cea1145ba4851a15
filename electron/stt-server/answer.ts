import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { toSttError } from "./stt-error.ts";

/** A result as JSON text and structured; a failure as text that says what to do. */
export async function answer(work: () => Promise<object>): Promise<CallToolResult> {
  try {
    const value = await work();
    return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: { ...value } };
  } catch (error) {
    return { content: [{ type: "text", text: toSttError(error).message }], isError: true };
  }
}
