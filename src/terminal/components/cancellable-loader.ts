import { getKeybindings } from "../keys/keybindings.ts";
import { Loader } from "./loader.ts";

/**
 * A loader the user can cancel.
 *
 * @example
 * const loader = new CancellableLoader(tui, accent, muted, "Fetching…");
 * loader.onAbort = () => done(undefined);
 * fetch(url, { signal: loader.signal }).then(done);
 */
export class CancellableLoader extends Loader {
  readonly #controller = new AbortController();
  onAbort?: () => void;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.signal.aborted;
  }

  handleInput(data: string): void {
    if (!getKeybindings().matches(data, "tui.select.cancel")) return;
    this.#controller.abort();
    this.onAbort?.();
  }
}
