import type { Finding } from "../../agents/index.ts";
import { Models } from "../../host/index.ts";

/** What of the user's models.json Seam's own agent cannot use. */
export function modelFindings(): Finding[] {
  return new Models().problems.map(({ code, message, next }) => ({
    level: "error",
    code,
    text: message,
    next,
  }));
}
