import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";

export interface TestProject {
  /** The project's root, and a home for the user's own files. */
  root: string;
  home: string;
  /** Writes a file below the root, or below the home if the path begins with "~". */
  write(path: string, text: string): string;
}

/** A fresh project and a fresh Seam home for each test of a file. */
export function testProject(): TestProject {
  const before = process.env.SEAM_HOME;
  let folder = "";
  const project: TestProject = {
    root: "",
    home: "",
    write(path, text) {
      const full = path.startsWith("~/")
        ? join(project.home, path.slice(2))
        : join(project.root, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      return full;
    },
  };
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "seam-resources-")));
    project.root = join(folder, "project");
    project.home = join(folder, "home");
    mkdirSync(join(project.root, ".git"), { recursive: true });
    mkdirSync(project.home);
    process.env.SEAM_HOME = project.home;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env.SEAM_HOME;
    else process.env.SEAM_HOME = before;
  });
  return project;
}

export const skillFile = (name: string, body = "Do it well.", more = "") =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\n\n${body}\n`;
