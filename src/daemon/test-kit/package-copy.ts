import { cpSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../settings/index.ts";
import { testFolder } from "./folder.ts";
import { OWN_BUILD } from "./processes.ts";

/** A copy of the package, to be changed, or replaced under the daemon that runs from it. */
export function packageCopy(): { root: string; built: string; replace: () => void } {
  const [own, root] = [packageRoot(), testFolder()];
  const copy = (to: string) => cpSync(OWN_BUILD, join(root, to), { recursive: true });
  copy("dist");
  cpSync(join(own, "package.json"), join(root, "package.json"));
  symlinkSync(join(own, "node_modules"), join(root, "node_modules"));
  const replace = () => {
    copy("new");
    renameSync(join(root, "dist"), join(root, "old"));
    renameSync(join(root, "new"), join(root, "dist"));
  };
  return { root, built: join(root, "dist"), replace };
}
