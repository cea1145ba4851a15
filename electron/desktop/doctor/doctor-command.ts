import { checkReport } from "../../../shared/doctor.ts";
import type { Command } from "../../commands/registry.ts";
import type { Doctor } from "./doctor.ts";

/** `/doctor`: checks this computer, and says what it found. @param head the report's first line */
export function doctorCommand(doctor: Pick<Doctor, "all">, head: string): Command {
  return {
    name: "doctor",
    usage: "/doctor",
    description: "Check this computer: model, microphone, voice, fence, disk and the rest",
    run: async () => {
      const results = await doctor.all();
      const isError = results.some(({ state }) => state === "failed");
      return { output: `\`\`\`text\n${checkReport(head, results)}\n\`\`\``, isError };
    },
  };
}

/**
 * `npm start -- --doctor`: prints the report.
 * @returns the exit code: 0 where nothing failed, else 1
 */
export async function printReport(
  doctor: Pick<Doctor, "all">,
  head: string,
  print: (text: string) => void,
): Promise<0 | 1> {
  const results = await doctor.all();
  print(`${checkReport(head, results)}\n`);
  return results.some(({ state }) => state === "failed") ? 1 : 0;
}
