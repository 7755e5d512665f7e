import { textOfContent } from "../events/index.ts";
import type { ModelRequest } from "../extensions/index.ts";
import { abortable } from "./abortable.ts";
import type { Core } from "./core.ts";

/** Asks the model something outside the conversation: for a summary. */
export async function askAside(
  core: Core,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<string> {
  if (!core.session.model) throw core.models.noModel();
  const answer = await abortable(
    core.models.stream(core.session.model, request, { signal }).result(),
    signal,
  );
  if (answer.stopReason === "error" || answer.stopReason === "aborted") {
    throw new Error(answer.errorMessage ?? "The model gave no answer.");
  }
  return textOfContent(answer.content);
}
