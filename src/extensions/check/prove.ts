import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SeamError, systemCode } from "../../errors/index.ts";
import { LARGE_FILE, readRegular, replaceFile } from "../../files/index.ts";
import { isCritical } from "../find/declared-critical.ts";
import { importedFiles } from "../find/imported-files.ts";
import { knownPath, type Source } from "../find/source.ts";
import type { InlineExtension } from "../load/load-extensions.ts";
import { checkExtensions } from "./check-extensions.ts";

interface ProveOptions {
  readonly cwd: string;
  readonly cacheDir: string;
  readonly loadDeadlineMs: number;
}

/** What a process cannot defend itself against once the extension is in it. */
const DEADLY: ReadonlySet<string> = new Set(["SEAM_EXT_LOAD_TIMEOUT", "SEAM_EXT_EXITED"]);

/**
 * Lets an extension into this process only after it has once come to an end in a thread that can
 * be killed. One that did not is replaced by one that says so. Asked again when a file changed.
 */
export async function prove(
  sources: readonly Source[],
  { cwd, cacheDir, loadDeadlineMs }: ProveOptions,
): Promise<(Source | InlineExtension)[]> {
  const file = join(cacheDir, "proven.json");
  const known = readProven(file);
  const prints = new Map(sources.map(({ path }) => [path, fingerprint(path)]));
  const unproven = sources.filter(({ path }) => known[path] !== prints.get(path));
  if (unproven.length === 0) return [...sources];
  const which = unproven.map(({ path }) => `${path} ${prints.get(path)}`).join("\n");
  const deadly = await once(which, async () => {
    const reports = await checkExtensions(unproven, { cwd, cacheDir, loadDeadlineMs });
    const found = new Map<string, string>();
    for (const { path, problems } of reports) {
      const code = problems.find((problem) => DEADLY.has(problem.code))?.code;
      if (code) found.set(path, code);
      else known[path] = prints.get(path) ?? "";
    }
    keepProven(file, known);
    return found;
  });
  return sources.map((source) => {
    const code = deadly.get(source.path);
    return code === undefined ? source : standIn(source, code, loadDeadlineMs);
  });
}

type Deadly = ReadonlyMap<string, string>;

/** How long what was found out in this process is not asked again. */
const REMEMBERED_MS = 30_000;
const asked = new Map<string, Promise<Deadly>>();

/** Sessions that begin at the same moment with the same extensions need one thread for this, not one each. */
function once(which: string, find: () => Promise<Deadly>): Promise<Deadly> {
  const known = asked.get(which);
  if (known) return known;
  const found = find();
  asked.set(which, found);
  const forget = () => asked.delete(which);
  found.then(() => setTimeout(forget, REMEMBERED_MS).unref(), forget);
  return found;
}

/** Fails in its place, so that it is reported, and blocks tool calls if it is critical. */
function standIn(source: Source, code: string, ms: number): InlineExtension {
  const why = code === "SEAM_EXT_EXITED" ? code : "SEAM_EXT_LOAD_TIMEOUT";
  const { name } = source;
  const path = knownPath(source);
  return {
    name,
    critical: isCritical(source),
    factory: () => {
      throw new SeamError(why, { path, ms });
    },
  };
}

function readProven(file: string): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, string>) : {};
  } catch {
    return {};
  }
}

/** Behind the walls of a crew, or on a full disk, it cannot be kept: the next process asks once more. */
function keepProven(file: string, known: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, JSON.stringify(known));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

function fingerprint(path: string): string {
  const hash = createHash("sha256");
  for (const file of importedFiles(path)) {
    hash.update(file);
    try {
      hash.update(readRegular(file, LARGE_FILE));
    } catch {
      hash.update("missing");
    }
  }
  return hash.digest("hex");
}
