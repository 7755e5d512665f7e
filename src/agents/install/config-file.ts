import { inWords, SeamError, systemCode } from "../../errors/index.ts";
import { LARGE_FILE, readRegular } from "../../files/index.ts";
import { type JsonText, type Mistake, parseJsonText } from "./json-text.ts";

const BOM = "\uFEFF";

/** A configuration file of an agent, as it is on disk. */
export interface ConfigFile {
  readonly path: string;
  /** Undefined: there is no such file. */
  readonly bytes: Buffer | undefined;
  readonly hasBom: boolean;
  readonly json: JsonText;
}

/** What a file holds; undefined if there is none. */
export function readBytes(path: string): Buffer | undefined {
  try {
    return readRegular(path, LARGE_FILE);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return undefined;
    throw unusable(path, inWords(thrown));
  }
}

/** Throws a SeamError that says where it is broken. */
export function readConfig(path: string): ConfigFile {
  return asConfig(path, readBytes(path));
}

export function asConfig(path: string, bytes: Buffer | undefined): ConfigFile {
  const decoded = decode(path, bytes ?? Buffer.alloc(0));
  const hasBom = decoded.startsWith(BOM);
  const json = parseJsonText(hasBom ? decoded.slice(1) : decoded);
  if ("what" in json) throw unusable(path, mistakeInWords(json));
  return { path, bytes, hasBom, json };
}

export function toBytes({ hasBom }: ConfigFile, text: string): Buffer {
  return Buffer.from(hasBom ? BOM + text : text);
}

export function unusable(path: string, detail: string): SeamError {
  return new SeamError("SEAM_AGENT_CONFIG", { path, detail });
}

export function mistakeInWords({ what, line, column }: Mistake): string {
  return `line ${line}, column ${column}: ${what}`;
}

/** Any other encoding would not survive being written back. */
function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unusable(path, "it is not UTF-8 text");
  }
}
