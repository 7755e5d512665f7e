/**
 * A glob as a regular expression for a whole path with "/" between its parts. `*` and `?` stay
 * within one part, a part that is `**` stands for any number of parts, `{a,b}` for either.
 */
export function globToRegExp(glob: string, options: { braces: boolean }): RegExp {
  // "s" and "u": names may contain line breaks and characters outside the basic plane.
  const source = new GlobTranslation(glob, options.braces).translate();
  try {
    return new RegExp(`^${source}$`, "su");
  } catch (error) {
    throw new Error(`${glob} is not a valid glob. Check its [...] parts.`, { cause: error });
  }
}

class GlobTranslation {
  readonly #glob: string;
  readonly #braces: boolean;
  #at = 0;
  #depth = 0;

  constructor(glob: string, braces: boolean) {
    this.#glob = glob;
    this.#braces = braces && balanced(glob);
  }

  translate(): string {
    let source = "";
    while (this.#at < this.#glob.length) source += this.#next();
    return source;
  }

  #next(): string {
    const rest = this.#glob.slice(this.#at);
    const before = this.#at === 0 ? "/" : this.#glob.charAt(this.#at - 1);
    if (before === "/" && rest.startsWith("**/")) return this.#take(3, "(?:[^/]+/)*");
    if (before === "/" && rest === "**") return this.#take(2, ".+");
    const stars = /^\*+/.exec(rest);
    if (stars) return this.#take(stars[0].length, "[^/]*");
    const characterClass = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
    if (characterClass) {
      const [whole, not, members = ""] = characterClass;
      return this.#take(whole.length, `(?!/)[${not ? "^" : ""}${classMembers(members)}]`);
    }
    return this.#character(rest);
  }

  #character(rest: string): string {
    const [character = ""] = rest;
    if (character === "?") return this.#take(1, "[^/]");
    if (character === "\\" && rest.length > 1) {
      const [, escaped = ""] = rest;
      return this.#take(1 + escaped.length, literally(escaped));
    }
    if (this.#braces && character === "{") {
      this.#depth++;
      return this.#take(1, "(?:");
    }
    if (this.#depth > 0 && character === "}") {
      this.#depth--;
      return this.#take(1, ")");
    }
    if (this.#depth > 0 && character === ",") return this.#take(1, "|");
    return this.#take(character.length, literally(character));
  }

  #take(length: number, source: string): string {
    this.#at += length;
    return source;
  }
}

function balanced(glob: string): boolean {
  let depth = 0;
  for (const [character] of glob.replace(/\\./gsu, "").matchAll(/[{}]/g)) {
    depth += character === "{" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function classMembers(members: string): string {
  return members.replace(/\\(.)/gsu, "$1").replace(/[\\\][^]/g, "\\$&");
}
