import { BenchProject, fill, pathOf } from "../record/project.ts";

export const FILES = 50_000;
const CHANGED = 200;

/** A large project: its first commit, and one that differs from it in some files. */
export interface BigProject {
  readonly project: BenchProject;
  readonly first: string;
  readonly second: string;
}

export function bigProject(folder: string): BigProject {
  const project = new BenchProject(folder, "big");
  fill(project, FILES);
  const first = project.git("rev-parse", "HEAD");
  for (let i = 0; i < CHANGED; i++)
    project.write(pathOf(i * 250), `export const changed = ${i};\n`);
  project.git("commit", "-q", "-a", "-m", "Some files differ");
  return { project, first, second: project.git("rev-parse", "HEAD") };
}
