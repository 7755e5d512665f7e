import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularText, replaceFile, SMALL_FILE } from "../../../files/index.ts";
import { PROJECT_DIR, projectRoot } from "../../../settings/index.ts";
import { isRecord } from "../../../values/index.ts";

/** What of a project runs, or loosens something, and therefore has to be trusted first. */
const ASKING = [
  "extensions",
  "settings.json",
  "settings.local.json",
  "skills",
  "prompts",
  "themes",
];

export function hasTrustRequiringProjectResources(cwd: string): boolean {
  const folder = join(projectRoot(cwd), PROJECT_DIR);
  return ASKING.some((name) => existsSync(join(folder, name)));
}

/**
 * What extensions note about the trust in folders. Seam's own trust is another thing: it is given to a
 * content, with `seam trust`, and no extension can give it.
 */
export class ProjectTrustStore {
  readonly #file: string;

  constructor(agentDir: string) {
    this.#file = join(agentDir, "pi-trust.json");
  }

  /** What was decided for a folder or the nearest one above it; null: nothing. */
  get(cwd: string): boolean | null {
    return this.getEntry(cwd)?.decision ?? null;
  }

  getEntry(cwd: string): { path: string; decision: boolean } | null {
    const known = this.#read();
    for (let path = resolve(cwd); ; path = dirname(path)) {
      const decision = known[path];
      if (decision !== undefined) return { path, decision };
      if (dirname(path) === path) return null;
    }
  }

  set(cwd: string, decision: boolean | null): void {
    this.setMany([{ path: cwd, decision }]);
  }

  setMany(decisions: readonly { path: string; decision: boolean | null }[]): void {
    const known = this.#read();
    for (const { path, decision } of decisions) {
      if (decision === null) delete known[resolve(path)];
      else known[resolve(path)] = decision;
    }
    replaceFile(this.#file, `${JSON.stringify(known, null, 2)}\n`);
  }

  #read(): Record<string, boolean> {
    let value: unknown;
    try {
      value = JSON.parse(readRegularText(this.#file, SMALL_FILE));
    } catch {
      return {};
    }
    const entries = Object.entries(isRecord(value) ? value : {});
    return Object.fromEntries(
      entries.flatMap(([path, one]): [string, boolean][] =>
        typeof one === "boolean" ? [[path, one]] : [],
      ),
    );
  }
}
