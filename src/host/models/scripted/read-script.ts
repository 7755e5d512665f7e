import { readFileSync } from "node:fs";
import { messageOf, refusal, SeamError } from "../../../errors/index.ts";
import { parseScript } from "./parse-script.ts";
import { Script } from "./script.ts";

export function readScript(path: string): Script {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    const detail = messageOf(thrown);
    throw refusal(thrown) ?? new SeamError("SEAM_SCRIPT_INVALID", { path, detail });
  }
  return new Script(path, parseScript(text, path));
}
