import { createHash } from "node:crypto";
import { importedFiles } from "../../extensions/index.ts";
import { readText } from "../../files/index.ts";
import type { ThreadGroup } from "../worker/threads.ts";
import type { ProjectExtensions } from "./project-extensions.ts";

/**
 * What a thread has only one of, so that sessions in it would notice each other: globals, listeners
 * of the process, the port to the daemon. Folder and environment are not: each session has its own.
 */
const WHOLE_THREAD =
  /\bglobalThis\b|\bglobal\s*[.[]|\bprocess\s*\.\s*(?:on|once|addListener|prepend\w+|removeAllListeners)\b|\bworker_threads\b|\basync_hooks\b/;

const known = new WeakMap<ProjectExtensions, ThreadGroup>();

/** Sessions with the same extensions, by content, sit in one thread, wherever their projects are. */
export function threadGroupOf(project: ProjectExtensions): ThreadGroup {
  const company = known.get(project) ?? lookFor(project);
  known.set(project, company);
  return company;
}

function lookFor({ sources }: ProjectExtensions): ThreadGroup {
  const hash = createHash("sha256");
  for (const { path, name, scope } of sources) {
    hash.update(`${name}\0${scope}\0`);
    for (const file of importedFiles(path)) {
      const text = readText(file) ?? "";
      if (WHOLE_THREAD.test(text)) return { key: undefined };
      hash.update(text).update("\0");
    }
  }
  return { key: hash.digest("hex") };
}
