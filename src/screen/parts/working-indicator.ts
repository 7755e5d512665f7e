import type { SeamEvent } from "../../events/index.ts";
import type { WorkingIndicatorOptions } from "../../extensions/index.ts";
import { keyText, Loader, safeText, type Theme, type TUI } from "../../terminal/index.ts";

/** The line that says that the agent works, and how to stop it. */
export class Working {
  readonly #tui: Pick<TUI, "requestRender">;
  readonly #theme: Theme;
  #loader: Loader | undefined;
  #message: string | undefined;
  #note: string | undefined;
  #indicator: WorkingIndicatorOptions | undefined;
  #isVisible = true;

  constructor(tui: Pick<TUI, "requestRender">, theme: Theme) {
    this.#tui = tui;
    this.#theme = theme;
  }

  /** Begins and ends with the work, and says what holds it up. */
  hear(event: SeamEvent): void {
    if (event.type === "agent_start") this.#start();
    else if (event.type === "agent_settled") this.stop();
    else if (event.type === "auto_retry_start") {
      const seconds = Math.round(event.delayMs / 1000);
      this.#setNote(`${event.errorMessage} Trying again in ${seconds} s.`);
    } else if (event.type === "auto_compaction_start") {
      this.#setNote("The conversation is getting long: summing it up");
    } else if (event.type === "auto_retry_end" || event.type === "auto_compaction_end") {
      this.#setNote(undefined);
    }
  }

  #start(): void {
    if (this.#loader) return;
    const theme = this.#theme;
    this.#loader = new Loader(
      this.#tui,
      (text) => theme.fg("accent", text),
      (text) => theme.fg("muted", text),
      this.#text(),
      this.#indicator,
    );
  }

  stop(): void {
    this.#loader?.dispose();
    this.#loader = undefined;
    this.#note = undefined;
    this.#tui.requestRender();
  }

  /** What is going on in particular, such as waiting before the next attempt. */
  #setNote(note: string | undefined): void {
    this.#note = note;
    this.#loader?.setMessage(this.#text());
  }

  setMessage(message: string | undefined): void {
    this.#message = message;
    this.#loader?.setMessage(this.#text());
    this.#tui.requestRender();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#tui.requestRender();
  }

  setIndicator(indicator: WorkingIndicatorOptions | undefined): void {
    this.#indicator = indicator;
    this.#loader?.setIndicator(indicator);
  }

  render(width: number): string[] {
    if (!this.#loader || !this.#isVisible) return [];
    return this.#loader.render(width);
  }

  #text(): string {
    const stop = `(${keyText("app.interrupt")} stops it)`;
    return `${safeText(this.#note ?? this.#message ?? "Working…")} ${stop}`;
  }
}
