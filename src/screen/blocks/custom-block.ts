import { type CustomMessage, textOfContent } from "../../events/index.ts";
import { type MessageRenderer, RENDER_HINTS } from "../../extensions/index.ts";
import { Box, type Component, Markdown, safeText } from "../../terminal/index.ts";
import type { Look } from "../look/look.ts";
import { Block } from "./block.ts";
import { Guarded } from "./guarded.ts";

const MOST_LINES = 500;

/** A message of an extension, as the extension draws it. */
export class CustomBlock extends Block {
  readonly #message: CustomMessage;
  readonly #rendererOf: (customType: string) => MessageRenderer | undefined;

  constructor(
    look: Look,
    message: CustomMessage,
    rendererOf: (customType: string) => MessageRenderer | undefined,
  ) {
    super(look);
    this.#message = message;
    this.#rendererOf = rendererOf;
  }

  protected draw(width: number): string[] {
    const { theme, toolsExpanded } = this.look;
    const { customType } = this.#message;
    const own = this.#own();
    const inner: Component = own ?? new Markdown(this.#text(), 0, 0, this.look.markdown());
    const guarded = new Guarded(inner, {
      what: `What draws messages of ${customType}`,
      theme,
      maxLines: () => (toolsExpanded || own ? MOST_LINES : 20),
    });
    if (own) return guarded.render(width);
    const box = new Box(1, 0, (text) => theme.bg("customMessageBg", text));
    const label = theme.bold(theme.fg("customMessageLabel", `[${safeText(customType)}]`));
    box.addChild({ render: () => [label], invalidate() {} });
    box.addChild(guarded);
    return box.render(width);
  }

  #text(): string {
    return safeText(textOfContent(this.#message.content));
  }

  #own(): Component | undefined {
    const { theme, toolsExpanded } = this.look;
    const draw = this.#rendererOf(this.#message.customType);
    try {
      return draw?.(this.#message, { ...RENDER_HINTS, expanded: toolsExpanded }, theme);
    } catch (thrown) {
      return {
        render: () => {
          throw thrown;
        },
        invalidate() {},
      };
    }
  }
}
