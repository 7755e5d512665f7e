import { SeamError } from "../../errors/index.ts";
import {
  checkExtensions,
  findExtensions,
  isCritical,
  knownPath,
  type Scope,
} from "../../extensions/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { loadCacheDir } from "../load-cache.ts";
import { paint } from "../print.ts";

interface Known {
  readonly name: string;
  readonly scope: Scope;
  readonly path: string;
}

/** The extensions of a folder. Whether one runs is known only by loading it. */
export interface ExtensionsHere {
  readonly running: readonly Known[];
  readonly notRunning: readonly (Known & {
    readonly critical: boolean;
    readonly why: string;
    readonly next: string;
  })[];
  readonly untrusted: readonly { readonly name: string; readonly path: string }[];
  readonly problems: readonly SeamError[];
}

/** `leftOut`: what the daemon does not load, whatever becomes of it here. */
export async function extensionsHere(
  cwd: string,
  leftOut: readonly { readonly path: string; readonly why: string }[] = [],
): Promise<ExtensionsHere> {
  const { sources, untrusted, problems } = findExtensions({ cwd });
  const { loadDeadlineMs } = loadSettings(cwd).settings;
  const reports = await checkExtensions(sources, { cwd, cacheDir: loadCacheDir(), loadDeadlineMs });
  const judged = sources.map((source, index) => {
    const { name, scope } = source;
    const known = { name, scope, path: knownPath(source) };
    const report = reports[index];
    const out = leftOut.find(({ path }) => path === source.path);
    const worst = out
      ? new SeamError("SEAM_EXT_LEFT_OUT", { path: known.path, detail: out.why })
      : report?.problems.find(({ severity }) => severity === "error");
    const { message: why = "it did not load", next = "Run: seam ext list" } = worst ?? {};
    return { known, ok: report?.ok === true && !out, critical: isCritical(source), why, next };
  });
  return {
    running: judged.filter(({ ok }) => ok).map(({ known }) => known),
    notRunning: judged
      .filter(({ ok }) => !ok)
      .map(({ known, critical, why, next }) => ({ ...known, critical, why, next })),
    untrusted: untrusted.map(({ name, path }) => ({ name, path })),
    problems,
  };
}

/** What `seam status` says of them. */
export function extensionLines({ running, notRunning, untrusted, problems }: ExtensionsHere) {
  const waiting = untrusted.length > 0 ? `, ${untrusted.length} not trusted (seam trust)` : "";
  const names = running.map(({ name }) => name).join(", ") || "none";
  const lines = [`${paint("bold", "Extensions")}  ${names}${waiting}`];
  for (const { name, critical, why, next } of notRunning) {
    const then = critical ? ", so tool calls are blocked" : "";
    lines.push(`  ${paint("red", `${name} does not run${then}`)}: ${why}`, `  ${next}`);
  }
  const said = new Set(notRunning.map(({ why }) => why));
  for (const { message, next } of problems) {
    if (!said.has(message)) lines.push(`  ${paint("yellow", message)}`, `  ${next}`);
  }
  return lines;
}
