import type { ExtensionAPI } from "./api/extension-api.ts";
import type { EntryRenderer, MessageRenderer } from "./api/renderers.ts";
import { checkDrawing, checkRenderer } from "./check-registration.ts";
import type { Making } from "./create-api.ts";

type DrawApi = Pick<
  ExtensionAPI,
  | "registerMessageRenderer"
  | "registerEntryRenderer"
  | "registerMarkdownTransformer"
  | "registerToolRenderer"
>;

/** What an extension can say about how things are drawn. */
export function drawApi(making: Making, active: () => void): DrawApi {
  const { extension, set } = making;
  const { path } = extension;
  return {
    registerMessageRenderer(customType, renderer) {
      active();
      checkRenderer(path, customType, renderer);
      extension.renderers.set(customType, renderer as MessageRenderer);
      if (!making.pending) set.registered("renderer", customType, extension);
    },
    registerEntryRenderer(customType, renderer) {
      active();
      checkRenderer(path, customType, renderer);
      extension.entryRenderers.set(customType, renderer as EntryRenderer);
    },
    registerMarkdownTransformer(transformer) {
      active();
      checkDrawing(path, "Markdown transformer", transformer);
      extension.markdownTransformer = transformer;
    },
    registerToolRenderer(resolver) {
      active();
      checkDrawing(path, "tool renderer", resolver);
      extension.toolRenderers.push(resolver);
    },
  };
}
