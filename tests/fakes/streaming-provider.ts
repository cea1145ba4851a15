import type { ModelRequest, ModelStreamEvent, Provider } from "../../electron/agent/ports/ports.ts";

/** A provider that answers with what a test streams; all else is as with the real one. */
export function streaming(
  real: Provider,
  stream: (signal: AbortSignal, request: ModelRequest) => AsyncGenerator<ModelStreamEvent>,
): Provider {
  return {
    id: real.id,
    profile: real.profile,
    modelFacts: (model) => real.modelFacts(model),
    takesImages: (model) => real.takesImages(model),
    resolveModel: (name) => real.resolveModel(name),
    complete: (...asked) => real.complete(...asked),
    convertTools: (tools) => real.convertTools(tools),
    stream: (request, signal) => stream(signal, request),
  };
}
