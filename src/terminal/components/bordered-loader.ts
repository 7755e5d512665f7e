import { keyHint } from "../theme/key-hints.ts";
import type { Theme } from "../theme/theme.ts";
import type { TUI } from "../tui.ts";
import { CancellableLoader } from "./cancellable-loader.ts";
import { Container } from "./container.ts";
import { DynamicBorder } from "./dynamic-border.ts";
import { Loader } from "./loader.ts";
import { Spacer } from "./spacer.ts";
import { Text } from "./text.ts";

/** A loader between two lines, as a dialog that waits for something shows it. */
export class BorderedLoader extends Container {
  readonly #loader: Loader | CancellableLoader;
  /** Never aborted; there so that work takes the same signal whether it can be cancelled or not. */
  readonly #uncancelled = new AbortController();

  constructor(
    tui: Pick<TUI, "requestRender">,
    theme: Theme,
    message: string,
    options: { cancellable?: boolean } = {},
  ) {
    super();
    const cancellable = options.cancellable ?? true;
    const border = new DynamicBorder((text) => theme.fg("border", text));
    const Kind = cancellable ? CancellableLoader : Loader;
    this.#loader = new Kind(
      tui,
      (text) => theme.fg("accent", text),
      (text) => theme.fg("muted", text),
      message,
    );
    this.addChild(border);
    this.addChild(this.#loader);
    if (cancellable) {
      this.addChild(new Spacer(1));
      this.addChild(new Text(keyHint("tui.select.cancel", "cancel", theme), 1, 0));
    }
    this.addChild(new Spacer(1));
    this.addChild(border);
  }

  get signal(): AbortSignal {
    return this.#cancellable?.signal ?? this.#uncancelled.signal;
  }

  set onAbort(listener: (() => void) | undefined) {
    if (this.#cancellable && listener) this.#cancellable.onAbort = listener;
    else delete this.#cancellable?.onAbort;
  }

  handleInput(data: string): void {
    this.#cancellable?.handleInput(data);
  }

  dispose(): void {
    this.#loader.dispose();
  }

  get #cancellable(): CancellableLoader | undefined {
    return this.#loader instanceof CancellableLoader ? this.#loader : undefined;
  }
}
