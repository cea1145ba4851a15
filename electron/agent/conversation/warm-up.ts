import { readProject } from "../context/project-documents.ts";
import { offeredTools } from "../loop/tools/offered-tools.ts";
import { type AgentParts, trustOf } from "../ports/agent-parts.ts";

/**
 * Does ahead what the next run would do first: the provider's client and connection, the schemas of its tools, the
 * project's documents. Voice asks for it while somebody speaks, so that their words do not wait for it. Never throws:
 * what fails here fails again in the run, which says it.
 */
export async function warmUp(parts: AgentParts, folder: string): Promise<void> {
  try {
    const settings = parts.settings();
    const provider = await parts.createProvider(settings);
    provider.convertTools(offeredTools(parts.tools(""), provider.profile, settings.maxSubagentDepth > 0));
    const { workingDirectory } = await parts.openEnvironment(folder);
    await Promise.all([
      readProject(workingDirectory, provider.profile.projectDocuments, trustOf(parts)),
      provider.connect?.(),
    ]);
  } catch {
    // Said by the run.
  }
}
