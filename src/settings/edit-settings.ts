import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { SeamError } from "../errors/index.ts";
import { readText, replaceFile } from "../files/index.ts";
import { readSettingsText } from "./settings-text.ts";

/** Changes what a settings file lists under `packages`, and nothing else in it. */
export function editPackages(
  path: string,
  change: (listed: readonly string[]) => readonly string[],
): void {
  const text = readText(path) ?? "";
  const said = readSettingsText(text);
  if ("fault" in said) throw new SeamError("SEAM_SETTINGS_SYNTAX", { path, detail: said.fault });
  const { packages } = said.keys;
  const before = Array.isArray(packages) ? packages.filter((one) => typeof one === "string") : [];
  const after = change(before);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  const format = { formattingOptions: { insertSpaces: true, tabSize: 2 } };
  const wanted = after.length > 0 ? [...after] : undefined;
  const edits = modify(text.trim() === "" ? "{}" : text, ["packages"], wanted, format);
  const edited = applyEdits(text.trim() === "" ? "{}" : text, edits);
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, edited.endsWith("\n") ? edited : `${edited}\n`);
}

/** What a settings file lists under `packages`, as it is written there. */
export function listedPackages(path: string): readonly string[] {
  const said = readSettingsText(readText(path) ?? "");
  const packages = "fault" in said ? undefined : said.keys.packages;
  return Array.isArray(packages) ? packages.filter((one) => typeof one === "string") : [];
}
