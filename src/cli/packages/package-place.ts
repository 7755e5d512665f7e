import { join } from "node:path";
import type { PackagePlace } from "../../extensions/index.ts";
import { PROJECT_DIR, projectRoot, seamHome } from "../../settings/index.ts";

/** The user's packages, or those of the project one stands in. */
export function packagePlace(project: boolean | undefined): PackagePlace {
  const base = project ? join(projectRoot(process.cwd()), PROJECT_DIR) : seamHome();
  return { base, settings: join(base, "settings.json") };
}
