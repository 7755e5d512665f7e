import { access, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { globToRegExp } from "./glob.ts";

interface Rule {
  matches: RegExp;
  ignore: boolean;
  foldersOnly: boolean;
}

interface RuleFile {
  folder: string;
  rules: readonly Rule[];
}

/** The .gitignore files that count in a folder, outermost first. */
export class IgnoreRules {
  readonly #files: readonly RuleFile[];

  private constructor(files: readonly RuleFile[]) {
    this.#files = files;
  }

  /** For the folder a search starts in: also what the folders above it say, up to the repository. */
  static async at(folder: string): Promise<IgnoreRules> {
    const above = dirname(folder);
    const isTop = above === folder || (await isRepository(folder));
    const outer = isTop ? new IgnoreRules([]) : await IgnoreRules.at(above);
    return outer.#with(folder);
  }

  /** For a folder inside the one these rules are for. A repository of its own starts over. */
  async enter(folder: string, names: readonly string[]): Promise<IgnoreRules> {
    const outer = names.includes(".git") ? new IgnoreRules([]) : this;
    return names.includes(".gitignore") ? outer.#with(folder) : outer;
  }

  /** The last rule that matches decides, and inner files come last. */
  ignores(path: string, isFolder: boolean): boolean {
    for (const { folder, rules } of this.#files.toReversed()) {
      const inFolder = relative(folder, path).split(sep).join("/");
      const rule = rules.findLast(
        ({ matches, foldersOnly }) => (isFolder || !foldersOnly) && matches.test(inFolder),
      );
      if (rule) return rule.ignore;
    }
    return false;
  }

  async #with(folder: string): Promise<IgnoreRules> {
    const text = await textOf(join(folder, ".gitignore"));
    if (text === undefined) return this;
    const rules = text.split(/\r?\n/).flatMap((line) => parseRule(line) ?? []);
    return new IgnoreRules([...this.#files, { folder, rules }]);
  }
}

function parseRule(line: string): Rule | undefined {
  // Spaces at the end do not count unless a backslash protects them.
  const pattern = line.replace(/(?<!\\)[ \t]+$/, "");
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const ignore = !pattern.startsWith("!");
  const positive = ignore ? pattern : pattern.slice(1);
  const foldersOnly = positive.endsWith("/");
  const glob = foldersOnly ? positive.slice(0, -1) : positive;
  const anchored = glob.includes("/");
  const fromFolder = anchored ? glob.replace(/^\//, "") : `**/${glob}`;
  try {
    return { matches: globToRegExp(fromFolder, { braces: false }), ignore, foldersOnly };
  } catch {
    // git takes a rule it cannot read for one that never matches.
    return undefined;
  }
}

async function isRepository(folder: string): Promise<boolean> {
  return access(join(folder, ".git")).then(
    () => true,
    () => false,
  );
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
