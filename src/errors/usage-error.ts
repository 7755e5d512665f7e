import { SeamError } from "./seam-error.ts";

/**
 * Something was asked for in a way that cannot be meant: what is wrong with it, and the next step
 * that fits just that. The step is no option, so that no message ends with one that does not fit.
 */
export function usageError(detail: string, hint: string): SeamError {
  return new SeamError("SEAM_USAGE", { detail, hint });
}
