import { readProject } from "../context/project-documents.ts";
import { offeredTools } from "../loop/tools/offered-tools.ts";
import { type AgentOptions, trustOf } from "../ports/agent-options.ts";

/**
 * Does ahead what the next run would do first: the provider's client and connection, the schemas of its tools, the
 * project's documents. Voice asks for it while somebody speaks, so that their words do not wait for it. Never throws:
 * what fails here fails again in the run, which says it.
 */
export async function warmUp(options: AgentOptions, folder: string): Promise<void> {
  try {
    const settings = options.settings();
    const provider = await options.createProvider(settings);
    provider.convertTools(offeredTools(options.tools(""), provider.profile, settings.maxSubagentDepth > 0));
    const { workingDirectory } = await options.openEnvironment(folder);
    await Promise.all([
      readProject(workingDirectory, provider.profile.projectDocuments, trustOf(options)),
      provider.connect?.(),
    ]);
  } catch {
    // Said by the run.
  }
}
