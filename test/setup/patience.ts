import { vi } from "vitest";

/**
 * How long a test waits for what it waits for. It goes on as soon as that is so; a second, which is
 * what Vitest gives it, is not enough on a machine with much to do.
 */
const PATIENCE_MS = 60_000;

// Files that share a process share this module too, so it is done once.
const waitFor = vi.waitFor;
vi.waitFor = (isSo, options) =>
  waitFor(isSo, typeof options === "number" ? options : { timeout: PATIENCE_MS, ...options });
