import { wholeModules } from "../../src/host/pi/whole-modules.ts";
import { LEFT_OUT } from "./left-out-names.ts";

/** The modules an extension may import without having them installed, and their names. */
export function moduleNames(): string[] {
  const modules = wholeModules(() => {
    throw new Error("Listing names asks no model.");
  });
  const lines: string[] = [];
  for (const { specifiers, names } of alike(modules)) {
    lines.push(`**${specifiers.map((one) => `\`${one}\``).join(", ")}**`, "");
    lines.push(names.length > 0 ? names.map((one) => `\`${one}\``).join(" ") : "Types only.", "");
  }
  return lines;
}

/** What Pi has and Seam has not, with the reason. */
export function leftOutNames(): string[] {
  const rows = Object.entries(LEFT_OUT).flatMap(([module, reasons]) =>
    Object.entries(reasons).map(
      ([reason, names]) =>
        `| \`${module}\` | ${names.map((one) => `\`${one}\``).join(" ")} | ${reason} |`,
    ),
  );
  return ["| module | names | why |", "|---|---|---|", ...rows, ""];
}

/** Modules that are the same under several names, taken together. */
function alike(modules: Readonly<Record<string, object>>) {
  const found = new Map<string, { specifiers: string[]; names: string[] }>();
  for (const [specifier, module] of Object.entries(modules)) {
    const library = /typebox(\/.*)?$/.exec(specifier)?.[0];
    // Everything typebox has is there: a list of its hundreds of names would help nobody.
    if (library) continue;
    const names = Object.keys(module).sort();
    const key = names.join(" ");
    const known = found.get(key) ?? { specifiers: [], names };
    known.specifiers.push(specifier);
    found.set(key, known);
  }
  return [...found.values()];
}
