import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CrewFiles, findCrewFiles } from "../find-crew-files.ts";
import { problemLine } from "../problem.ts";
import {
  type ResolvedWorkflow,
  type ResolveOptions,
  resolveWorkflow,
} from "../resolve-workflow.ts";

/** A repository and a home with nothing in them but these files. */
export class CrewHome {
  readonly root = mkdtempSync(join(tmpdir(), "crew-"));
  readonly repository = join(this.root, "repository");
  readonly home = join(this.root, "home/.seam");

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.repository, { recursive: true });
    mkdirSync(this.home, { recursive: true });
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  /** "~/…" is in the user's home, all else in the repository. */
  write(path: string, text: string): string {
    const full = path.startsWith("~/")
      ? join(this.root, "home", path.slice(2))
      : join(this.repository, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  }

  find(): CrewFiles {
    const { home, repository, root } = this;
    return findCrewFiles({ home, repository, userHome: join(root, "home") });
  }

  resolve(name: string, options: ResolveOptions = {}): ResolvedWorkflow {
    const { repository } = this;
    return resolveWorkflow(this.find(), name, { repository, cwd: repository, ...options });
  }

  /** What is wrong, with paths from the repository. */
  problems(name: string): string[] {
    return this.resolve(name).problems.map((one) =>
      problemLine(one).replaceAll(`${this.repository}/`, ""),
    );
  }
}

/** A workflow of the project, with these lines after its head. */
export const workflowText = (body: string, head = "") =>
  `---\nname: w\ndescription: d\n${head}---\n\n${body}\n`;
