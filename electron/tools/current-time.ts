import { z } from "zod";
import type { Clock, Tool } from "../agent/ports/ports.ts";

const input = z.object({
  timeZone: z
    .string()
    .optional()
    .describe("An IANA name, such as Europe/Berlin. Default: this computer's time zone."),
});

/** The date and the time of day, in a form that needs no arithmetic: models are bad at it. */
export function currentTimeTool(clock: Clock): Tool<z.infer<typeof input>> {
  return {
    name: "current_time",
    description: "Get the current date, weekday and time.",
    input,
    effect: "read",
    async run({ timeZone }) {
      const now = clock.now();
      let format: Intl.DateTimeFormat;
      try {
        format = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "medium", timeZone });
      } catch {
        throw new Error(`"${timeZone}" is no time zone. Use an IANA name such as Europe/Berlin.`);
      }
      return { text: `${format.format(now)} (${format.resolvedOptions().timeZone})` };
    },
  };
}
