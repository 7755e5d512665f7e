import type { WholeModules } from "../../extensions/index.ts";

/** Pi's packages as extensions see them, with all their names. Loaded with the first that needs it. */
export const piModules: WholeModules = Object.assign(
  async (host: Parameters<WholeModules>[0]) => {
    const { wholeModules } = await import("./whole-modules.ts");
    return wholeModules(host);
  },
  { zod: async () => import("zod") },
);
