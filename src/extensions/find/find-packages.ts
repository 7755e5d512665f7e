import { loadSettings, projectRoot } from "../../settings/index.ts";
import { changedPackage } from "./installed-content.ts";
import { type PackageKind, packagePaths } from "./package-resources.ts";
import { projectPackage, userPackage } from "./project-extensions.ts";

/** What packages bring beside extensions. */
export type PackageResources = Readonly<
  Record<Exclude<PackageKind, "extensions" | "agents">, readonly string[]>
>;

/** Skills, prompts and themes of the packages in force: a project's come first. */
export function findPackageResources(cwd: string): PackageResources {
  const { user, project } = loadSettings(cwd).listed;
  const root = projectRoot(cwd);
  const dirs = [
    ...project.packages.flatMap((wanted) => projectPackage(root, wanted) ?? []),
    ...user.packages
      .filter((wanted) => !changedPackage(wanted))
      .flatMap((wanted) => userPackage(wanted) ?? []),
  ];
  const of = (kind: PackageKind) => dirs.flatMap((dir) => packagePaths(dir, kind).paths);
  return { skills: of("skills"), prompts: of("prompts"), themes: of("themes") };
}
