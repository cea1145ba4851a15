import { z } from "zod";
import type { ListedModel } from "../../agent/ports/ports.ts";

const listed = z.object({ id: z.string().min(1) });
/** Together gives the list itself, others an object around it. */
const listShape = z
  .union([z.array(z.unknown()), z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data)])
  .nullable()
  .catch(null);

/** What a server answers to the question for its models. @returns null where there is no list in it */
export function modelsIn(body: unknown): ListedModel[] | null {
  return listShape.parse(body)?.flatMap((one) => listed.safeParse(one).data ?? []) ?? null;
}
