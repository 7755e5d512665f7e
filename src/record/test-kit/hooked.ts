import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRepo } from "../../git/index.ts";
import { installGitHooks } from "../git-hooks/install.ts";
import { parseGitRequest } from "../git-hooks/request.ts";
import type { GitHookName } from "../git-hooks/script.ts";
import { newFolder, Project } from "./project.ts";

/** A project with a hook client that writes down what it is told. */
export class Hooked extends Project {
  readonly told = join(newFolder(), "told");

  constructor() {
    super();
    const client = join(this.home, ".seam/bin/hook");
    mkdirSync(join(client, ".."), { recursive: true });
    writeFileSync(client, `#!/bin/sh\nmkdir -p '${this.told}'\ncat >"${this.told}/$2"\n`);
    chmodSync(client, 0o755);
    this.write(".git/seam/pending", "");
    this.write(".git/seam/check-message", "");
    mkdirSync(join(this.root, ".git/seam/sessions"));
  }

  async repo(cwd = this.root) {
    const repo = await openRepo(cwd);
    if (!repo) throw new Error("no repository");
    return repo;
  }

  async install() {
    return installGitHooks(await this.repo());
  }

  /** What a hook said; git does not wait for all of them. */
  async heard(hook: GitHookName) {
    const path = join(this.told, hook);
    const parsed = () =>
      existsSync(path) ? parseGitRequest(hook, readFileSync(path, "utf8")) : undefined;
    for (let tries = 0; tries < 200 && !parsed(); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return parsed();
  }

  script(path: string, text: string) {
    const full = this.write(path, `#!/bin/sh\n${text}\n`);
    chmodSync(full, 0o755);
  }

  read(path: string) {
    return readFileSync(join(this.root, path), "utf8");
  }
}
