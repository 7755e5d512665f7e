import { messageOf, SeamError } from "../errors/index.ts";
import { keyHint, keyText } from "../terminal/index.ts";
import type {
  EntryRenderer,
  KeybindingHints,
  MarkdownTransformContext,
  MessageRenderer,
  ToolRenderers,
} from "./api/renderers.ts";
import type { Extension } from "./extension.ts";
import type { Runtime } from "./runtime.ts";

/** What renderers are told besides: the user's keys, and that Seam leaves nothing free at the left. */
export const RENDER_HINTS: KeybindingHints & { readonly outputPad: number } = {
  keyText,
  keyHint: (keybinding, description) => keyHint(keybinding, description),
  outputPad: 0,
};

/** What the extensions of a session have to say about how things are drawn. */
export class Drawing {
  readonly #extensions: () => readonly Extension[];
  readonly #runtime: Runtime;
  /** These are not asked again: their failure would be reported as often as the screen is drawn. */
  readonly #failed = new WeakSet<Extension>();

  constructor(extensions: () => readonly Extension[], runtime: Runtime) {
    this.#extensions = extensions;
    this.#runtime = runtime;
  }

  message(customType: string): MessageRenderer | undefined {
    return first(this.#extensions(), ({ renderers }) => renderers.get(customType));
  }

  entry(customType: string): EntryRenderer | undefined {
    return first(this.#extensions(), ({ entryRenderers }) => entryRenderers.get(customType));
  }

  /** The text as extensions want it drawn, each changing what the one before made of it. */
  markdown(text: string, context: MarkdownTransformContext): string {
    let result = text;
    for (const extension of this.#extensions()) {
      const { markdownTransformer } = extension;
      if (!markdownTransformer || this.#failed.has(extension)) continue;
      this.#attempt(extension, "registerMarkdownTransformer", () => {
        const changed: unknown = markdownTransformer(result, context);
        if (typeof changed !== "string") throw new Error("It did not return a text.");
        result = changed;
      });
    }
    return result;
  }

  /** How calls of a tool are drawn: the first resolver is asked, and may ask those after it. */
  tool(toolName: string): ToolRenderers | undefined {
    const resolvers = this.#extensions().flatMap((extension) =>
      extension.toolRenderers.map((resolve) => ({ extension, resolve })),
    );
    const registered = () => first(this.#extensions(), ({ tools }) => tools.get(toolName));
    const from = (at: number): ToolRenderers | undefined => {
      const one = resolvers[at];
      if (!one) return registered();
      if (this.#failed.has(one.extension)) return from(at + 1);
      let chosen: ToolRenderers | undefined;
      const done = this.#attempt(one.extension, "registerToolRenderer", () => {
        chosen = one.resolve(toolName, () => from(at + 1));
      });
      return done ? chosen : from(at + 1);
    };
    return from(0);
  }

  #attempt(extension: Extension, what: string, run: () => void): boolean {
    try {
      run();
      return true;
    } catch (thrown) {
      this.#failed.add(extension);
      const { path } = extension;
      const details = { path, event: what, detail: messageOf(thrown) };
      const error = new SeamError("SEAM_HANDLER_THREW", details, { cause: thrown });
      this.#runtime.report("error", error, path, { event: what });
      return false;
    }
  }
}

function first<T>(
  extensions: readonly Extension[],
  find: (extension: Extension) => T | undefined,
): T | undefined {
  for (const extension of extensions) {
    const found = find(extension);
    if (found) return found;
  }
  return undefined;
}
