import type { Paint } from "../text/background.ts";
import type { TUI } from "../tui.ts";
import { Text } from "./text.ts";

const FRAMES: readonly string[] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const INTERVAL_MS = 80;

export interface LoaderIndicatorOptions {
  /** The pictures of the animation, drawn as they are; an empty list shows none. */
  frames?: string[];
  intervalMs?: number;
}

/** A message with a turning indicator before it. Runs from its creation until `stop`. */
export class Loader extends Text {
  readonly #ui: Pick<TUI, "requestRender">;
  readonly #paintSpinner: Paint;
  readonly #paintMessage: Paint;
  #message: string;
  #indicator: LoaderIndicatorOptions | undefined;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    ui: Pick<TUI, "requestRender">,
    spinnerColorFn: Paint,
    messageColorFn: Paint,
    message = "Loading...",
    indicator?: LoaderIndicatorOptions,
  ) {
    super("", 1, 0);
    this.#ui = ui;
    this.#paintSpinner = spinnerColorFn;
    this.#paintMessage = messageColorFn;
    this.#message = message;
    this.setIndicator(indicator);
  }

  override render(width: number): string[] {
    return ["", ...super.render(width)];
  }

  start(): void {
    this.stop();
    this.#update();
    if (this.#frames.length < 2) return;
    const wanted = this.#indicator?.intervalMs ?? 0;
    this.#timer = setInterval(() => this.#advance(), wanted > 0 ? wanted : INTERVAL_MS);
    // An animation nobody stopped must not keep the process alive.
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  dispose(): void {
    this.stop();
  }

  setMessage(message: string): void {
    this.#message = message;
    this.#update();
  }

  setIndicator(indicator?: LoaderIndicatorOptions): void {
    this.#indicator = indicator;
    this.#frame = 0;
    this.start();
  }

  get #frames(): readonly string[] {
    return this.#indicator?.frames ?? FRAMES;
  }

  #advance(): void {
    this.#frame = (this.#frame + 1) % this.#frames.length;
    this.#update();
  }

  #update(): void {
    const frame = this.#frames[this.#frame] ?? "";
    const painted = this.#indicator ? frame : this.#paintSpinner(frame);
    this.setText((frame ? `${painted} ` : "") + this.#paintMessage(this.#message));
    this.#ui.requestRender();
  }
}
