/** The built Seam: what is measured is bundled as what is shipped, not compiled on the fly. */
import { buildForSources } from "../scripts/build/for-sources.mjs";

export const DIST = new URL("../node_modules/.cache/agentseam/built/", import.meta.url);

/** Builds the rooms that are measured, if they are not there as the sources are now. */
export async function requireBuild(): Promise<void> {
  await buildForSources();
}
