import { createRequire } from "node:module";
import type * as Jiti from "jiti";

let loaded: typeof Jiti | undefined;

/**
 * A loader of TypeScript files. It comes with the first of them, because most commands have none, and
 * by require(): of what is imported, Node reads all of the text once more to find its names.
 */
export const createJiti: typeof Jiti.createJiti = (id, options) => {
  loaded ??= createRequire(import.meta.url)("jiti") as typeof Jiti;
  return loaded.createJiti(id, options);
};
