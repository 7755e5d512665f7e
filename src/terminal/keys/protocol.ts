let kittyActive = false;

/**
 * Tells whether the terminal speaks the Kitty keyboard protocol. A few old sequences mean
 * something else then: `ESC CR` is shift+enter instead of alt+enter.
 */
export function setKittyProtocolActive(active: boolean): void {
  kittyActive = active;
}

export function isKittyProtocolActive(): boolean {
  return kittyActive;
}
