import type { ContentfulStatusCode } from "hono/utils/http-status";
import { messageOf, SeamError } from "../../errors/index.ts";
import type { Problem } from "../api.ts";

/** Where it is not the request that is wrong. */
const STATUS: Readonly<Record<string, ContentfulStatusCode>> = {
  SEAM_VIEW_CLOSED: 401,
  SEAM_VIEW_CODE: 403,
  SEAM_VIEW_ORIGIN: 403,
  SEAM_VIEW_LARGE: 413,
  SEAM_VIEW_FULL: 503,
  SEAM_VIEW_SESSION: 404,
  SEAM_VIEW_ENTRY: 404,
  SEAM_VIEW_REPOSITORY: 404,
  SEAM_VIEW_REWIND: 409,
  SEAM_VIEW_READER: 500,
  SEAM_INBOX_UNKNOWN: 404,
  SEAM_INBOX_ANSWERED: 409,
  SEAM_SESSION_UNKNOWN: 404,
  SEAM_RECORD_NOT_FOUND: 404,
};

/** What went wrong, as the page is told. */
export function problemOf(error: unknown): {
  readonly status: ContentfulStatusCode;
  readonly problem: Problem;
} {
  const known =
    error instanceof SeamError
      ? error
      : new SeamError("SEAM_VIEW_READER", { detail: messageOf(error) });
  const { code, message, next } = known;
  return { status: STATUS[code] ?? 400, problem: { error: { code, message, next } } };
}
