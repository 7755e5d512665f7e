import { messageOf, SeamError, systemCode } from "../../errors/index.ts";

/** Why a session file could not be read, with a next step. */
export function readError(path: string, cause: unknown): SeamError {
  if (cause instanceof SeamError) return cause;
  if (systemCode(cause) === "ENOENT")
    return new SeamError("SEAM_SESSION_NOT_FOUND", { session: path });
  return new SeamError("SEAM_SESSION_READ", { path, detail: messageOf(cause) }, { cause });
}

/** Why something could not be added to a session, with a next step. */
export function writeError(path: string, cause: unknown): SeamError {
  if (cause instanceof SeamError) return cause;
  return new SeamError("SEAM_SESSION_WRITE", { path, detail: messageOf(cause) }, { cause });
}
