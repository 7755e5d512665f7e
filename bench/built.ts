/** The built Seam: what is measured is what is shipped, not sources compiled on the fly. */
import { existsSync } from "node:fs";

export const DIST = new URL("../dist/", import.meta.url);

export function requireBuild(): void {
  if (!existsSync(new URL("index.js", DIST))) {
    throw new Error("There is no built Seam to measure. Run: npm run build");
  }
}
