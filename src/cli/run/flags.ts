import { SeamError } from "../../errors/index.ts";
import { nearest } from "../../events/index.ts";
import type { ExtensionSet } from "../../extensions/index.ts";

type Flags = Record<string, boolean | string>;

/** Options that Seam does not know: they may be flags of an extension. */
export function rawFlags(args: readonly string[]): Flags {
  const flags: Flags = {};
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (!arg.startsWith("--")) {
      throw new SeamError("SEAM_USAGE", { detail: `"${arg}" was not expected. Use -p "…".` });
    }
    const [, name = "", value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const next = args[i + 1];
    if (value !== undefined) flags[name] = value;
    else if (next !== undefined && !next.startsWith("-")) flags[name] = args[++i] ?? "";
    else flags[name] = true;
  }
  return flags;
}

/** The flags as the extensions declared them. Throws on one that nobody declared. */
export function checkFlags(set: ExtensionSet, raw: Flags): Flags {
  const known = new Map(set.flags().map(({ name, flag }) => [name, flag.type]));
  const checked: Flags = {};
  for (const [name, value] of Object.entries(raw)) {
    const type = known.get(name);
    if (!type) {
      const close = nearest(name, known.keys());
      const hint = close ? ` Did you mean --${close}?` : "";
      throw new SeamError("SEAM_USAGE", { detail: `There is no option --${name}.${hint}` });
    }
    if (type === "boolean") checked[name] = value !== "false";
    else if (typeof value === "string") checked[name] = value;
    else throw new SeamError("SEAM_USAGE", { detail: `--${name} needs a value.` });
  }
  return checked;
}
