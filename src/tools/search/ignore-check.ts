import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { IgnoreRules } from "./ignore-rules.ts";

/** Tells for single paths below a folder what a walk would tell on the way. */
export class IgnoreCheck {
  readonly #root: string;
  readonly #rules = new Map<string, Promise<IgnoreRules>>();

  constructor(root: string) {
    this.#root = root;
  }

  async ignores(filePath: string): Promise<boolean> {
    const parts = filePath.split("/");
    let folder = "";
    for (const [index, name] of parts.entries()) {
      const rules = await this.#rulesIn(folder);
      const path = folder === "" ? name : `${folder}/${name}`;
      if (rules.ignores(join(this.#root, path), index < parts.length - 1)) return true;
      folder = path;
    }
    return false;
  }

  #rulesIn(folder: string): Promise<IgnoreRules> {
    const known = this.#rules.get(folder);
    if (known) return known;
    const rules = folder === "" ? IgnoreRules.at(this.#root) : this.#enter(folder);
    this.#rules.set(folder, rules);
    return rules;
  }

  async #enter(folder: string): Promise<IgnoreRules> {
    const outer = await this.#rulesIn(folder.split("/").slice(0, -1).join("/"));
    const path = join(this.#root, folder);
    return outer.enter(path, await readdir(path));
  }
}
