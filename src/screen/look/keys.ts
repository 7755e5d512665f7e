import { readFileSync } from "node:fs";
import { systemCode } from "../../errors/index.ts";
import { KeybindingsManager, readKeybindings, setKeybindings } from "../../terminal/index.ts";

/** Reads the user's keys. A file with mistakes is used as far as it makes sense; the rest is told. */
export function readKeys(file: string): string[] {
  const { keys, problems } = readKeybindings(textOf(file));
  setKeybindings(new KeybindingsManager(undefined, keys));
  return problems.map((problem) => `${file}: ${problem}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return "{}";
    throw thrown;
  }
}
