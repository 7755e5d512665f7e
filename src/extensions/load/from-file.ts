import { SeamError } from "../../errors/index.ts";
import type { Host } from "../api/host.ts";
import type { Source } from "../find/source.ts";
import { admission } from "../find/trust.ts";
import type { LoadingExtension } from "../loading-extension.ts";
import { type VirtualModules, virtualModules } from "../modules/index.ts";
import type { Runtime } from "../runtime.ts";
import { loadModule, type ModuleExports } from "./load-module.ts";

/**
 * Makes Pi's modules with the names that need more than this room has: sessions, agents, settings.
 * `host` is the extension's own; it throws until there is one.
 */
export interface WholeModules {
  (host: (method: string) => Host): Promise<VirtualModules>;
  /** The library that oh-my-pi hands out as `pi.zod`. */
  readonly zod: () => Promise<object>;
}

export interface FileOptions {
  readonly cacheDir: string | false;
  readonly modules: WholeModules | undefined;
  readonly onCompiled: (() => void) | undefined;
  /** What the file says, where it was read already. */
  readonly text: string | undefined;
}

/** Compiles and evaluates an extension's file. */
export function evaluateFile(
  source: Source,
  member: LoadingExtension,
  runtime: Runtime,
  { cacheDir, modules, onCompiled, text }: FileOptions,
): Promise<ModuleExports> {
  const { path } = source;
  const host = (method: string) => runtime.host(path, method);
  return loadModule(member, {
    modules: virtualModules(() => host("getModel").modelRegistry).light,
    wholeModules: async () => {
      const startedAt = performance.now();
      const whole = (await modules?.(host)) ?? {};
      // Nor is this the extension's own work.
      member.compiled(performance.now() - startedAt);
      return whole;
    },
    zod: async () => {
      const startedAt = performance.now();
      member.zod = await modules?.zod();
      member.compiled(performance.now() - startedAt);
    },
    onMissing: (missing) => {
      for (const { file, line, name, specifier } of missing) {
        const error = new SeamError("SEAM_EXT_MISSING_EXPORT", { path: file, name, specifier });
        runtime.report("warning", error, path, { where: { file, line } });
      }
    },
    onCompiled: (ms) => {
      member.compiled(ms);
      onCompiled?.();
    },
    cacheDir,
    text,
    admit: admission(source),
  });
}
