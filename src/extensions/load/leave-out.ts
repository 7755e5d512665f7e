import { resolve } from "node:path";
import type { SeamError } from "../../errors/index.ts";
import { sourceOf } from "../find/source.ts";
import { isCritical } from "./declared-critical.ts";
import type { InlineExtension, LoadOptions } from "./load-extensions.ts";

type Given = LoadOptions["sources"][number];

/**
 * The same extensions, without those there is an error for: in their place stands one that fails
 * with it, so that it is reported again, and blocks tool calls if it is critical.
 */
export function leaveOut(
  sources: readonly Given[],
  cwd: string,
  errors: ReadonlyMap<string, SeamError>,
): Given[] {
  return sources.map((given) => {
    const { name, path, critical } = about(given, cwd);
    const error = errors.get(path);
    return error ? failing(name, error, critical) : given;
  });
}

function about(given: Given, cwd: string) {
  if (typeof given === "object" && "factory" in given) {
    const { name, critical = false } = given;
    return { name, path: `<${name}>`, critical: () => critical };
  }
  const source = typeof given === "string" ? sourceOf(resolve(cwd, given), "cli") : given;
  return { ...source, critical: () => isCritical(source) };
}

function failing(name: string, error: SeamError, critical: () => boolean): InlineExtension {
  return {
    name,
    critical: critical(),
    factory: () => {
      throw error;
    },
  };
}
