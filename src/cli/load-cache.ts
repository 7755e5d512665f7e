import { join } from "node:path";
import { seamHome } from "../settings/index.ts";

/** Where compiled extensions are kept between runs. */
export function loadCacheDir(): string {
  return join(seamHome(), "cache", "extensions");
}
