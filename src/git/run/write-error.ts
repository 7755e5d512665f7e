import { inWords, SeamError } from "../../errors/index.ts";

/** Why something could not be put into the repository. */
export function writeError(path: string, cause: unknown): SeamError {
  if (cause instanceof SeamError) return cause;
  return new SeamError("SEAM_GIT_WRITE", { path, detail: inWords(cause) }, { cause });
}
