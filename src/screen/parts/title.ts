import { safeText, type Terminal } from "../../terminal/index.ts";

/** The title of the window: what is worked on, and whether it is. Written when it changes. */
export class Title {
  readonly #terminal: Pick<Terminal, "setTitle">;
  readonly #nameOf: () => string;
  #isWorking = false;
  #written = "";

  constructor(terminal: Pick<Terminal, "setTitle">, nameOf: () => string) {
    this.#terminal = terminal;
    this.#nameOf = nameOf;
  }

  set isWorking(isWorking: boolean) {
    this.#isWorking = isWorking;
    this.update();
  }

  /** An extension may have its own title until Seam's changes. */
  update(): void {
    const title = `${this.#isWorking ? "◌ " : ""}seam · ${safeText(this.#nameOf())}`;
    if (title === this.#written) return;
    this.#written = title;
    this.#terminal.setTitle(title);
  }
}
