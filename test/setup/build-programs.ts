import { buildForSources } from "../../scripts/build/for-sources.mjs";

/** Builds what the tests start in threads and processes from the sources that are about to be tested. */
export default async function buildPrograms(): Promise<void> {
  await buildForSources();
}
