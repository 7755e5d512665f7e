import {
  type Component,
  type Focusable,
  getKeybindings,
  Input,
  truncateToWidth,
} from "../../terminal/index.ts";
import type { Stage } from "./stage.ts";

/** Searches the transcript, in the place of the editor, until escape. */
export function searchTranscript(stage: Stage, text = ""): void {
  const close = stage.showInstead(
    new SearchLine(stage, text, () => {
      close();
      stage.transcript.endSearch();
    }),
  );
}

class SearchLine implements Component, Focusable {
  readonly #stage: Stage;
  readonly #input = new Input();
  readonly #done: () => void;
  #isFound = true;

  constructor(stage: Stage, text: string, done: () => void) {
    this.#stage = stage;
    this.#done = done;
    this.#input.setValue(text);
    if (text !== "") this.#search(-1);
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { theme } = this.#stage;
    const hint = "enter or up: further up, down: further down, esc: stay here";
    const nothing = theme.fg("warning", "Nothing more is found.");
    return [
      theme.fg("borderAccent", "─".repeat(width)),
      theme.bold(truncateToWidth("Search in this session", width, "…")),
      ...this.#input.render(width),
      this.#isFound ? theme.fg("dim", truncateToWidth(hint, width, "…")) : nothing,
    ];
  }

  handleInput(data: string): void {
    const pressed = getKeybindings();
    if (pressed.matches(data, "tui.select.cancel")) this.#done();
    else if (pressed.matches(data, "tui.select.down")) this.#search(1);
    else if (
      pressed.matches(data, "tui.select.up") ||
      pressed.matches(data, "tui.select.confirm")
    ) {
      this.#search(-1);
    } else {
      const before = this.#input.getValue();
      this.#input.handleInput(data);
      if (this.#input.getValue() !== before) this.#search(-1);
    }
  }

  #search(direction: -1 | 1): void {
    const text = this.#input.getValue();
    this.#isFound = text === "" || this.#stage.transcript.search(text, direction);
  }
}
