import type { Model, ThinkingLevel } from "../../events/index.ts";
import type { ScopedModel } from "../../extensions/index.ts";

const LEVEL = /^(off|minimal|low|medium|high|xhigh)$/;

interface ScopeDiagnostic {
  type: "warning";
  code: "no-match";
  message: string;
  pattern: string;
}

/** The models that patterns such as `anthropic/*` and `gpt-5:high` mean. */
export function modelsInScope(
  patterns: readonly string[],
  registry: { getAvailable(): Model[] },
): { scopedModels: ScopedModel[]; diagnostics: ScopeDiagnostic[] } {
  const models = registry.getAvailable();
  const diagnostics: ScopeDiagnostic[] = [];
  const scopedModels = patterns.flatMap((pattern) => {
    const [spec, thinkingLevel] = withLevel(pattern, (id) => models.some((one) => one.id === id));
    const glob = new RegExp(
      `^${spec
        .replace(/[.+^${}()|[\]\\]/g, "\\$&")
        .replaceAll("*", ".*")
        .replaceAll("?", ".")}$`,
      "i",
    );
    const found = models.filter(
      ({ provider, id }) => glob.test(id) || glob.test(`${provider}/${id}`),
    );
    if (found.length === 0) {
      const message = `No model that can be asked matches "${pattern}".`;
      diagnostics.push({ type: "warning", code: "no-match", message, pattern });
    }
    return found.map((model) => ({ model, ...(thinkingLevel && { thinkingLevel }) }));
  });
  return { scopedModels, diagnostics };
}

/** "model:high" is a model and how hard it thinks, unless there is a model of that name. */
export function withLevel(
  text: string,
  isModel: (id: string) => boolean,
): [spec: string, level: ThinkingLevel | undefined] {
  const at = text.lastIndexOf(":");
  const suffix = text.slice(at + 1);
  if (at < 0 || !isLevel(suffix) || isModel(text)) return [text, undefined];
  return [text.slice(0, at), suffix];
}

function isLevel(text: string): text is ThinkingLevel {
  return LEVEL.test(text);
}
