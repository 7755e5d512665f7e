import type { CustomEntry } from "../../events/index.ts";
import { type EntryRenderer, RENDER_HINTS } from "../../extensions/index.ts";
import type { Look } from "../look/look.ts";
import { Block } from "./block.ts";
import { Guarded } from "./guarded.ts";

const MOST_LINES = 500;

/** What an extension keeps in the session, as it draws it. What nobody draws is not seen. */
export class EntryDrawnBlock extends Block {
  readonly #entry: CustomEntry;
  readonly #rendererOf: (customType: string) => EntryRenderer | undefined;

  constructor(
    look: Look,
    entry: CustomEntry,
    rendererOf: (customType: string) => EntryRenderer | undefined,
  ) {
    super(look);
    this.#entry = entry;
    this.#rendererOf = rendererOf;
  }

  protected draw(width: number): string[] {
    const { theme, toolsExpanded } = this.look;
    const { customType } = this.#entry;
    const draw = this.#rendererOf(customType);
    if (!draw) return [];
    const guarded = new Guarded(
      {
        render: (room) =>
          draw(this.#entry, { ...RENDER_HINTS, expanded: toolsExpanded }, theme)?.render(room) ??
          [],
        invalidate() {},
      },
      { what: `What draws entries of ${customType}`, theme, maxLines: () => MOST_LINES },
    );
    return guarded.render(width);
  }
}
