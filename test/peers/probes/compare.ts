import type { Module, Probe, Value } from "./kit.ts";

/** What a probe finds out about a value of a module. */
export async function use(probe: Probe, module: Module, name: string): Promise<unknown> {
  const value = module[name];
  if (typeof value !== "function") throw new Error(`${name} is no function.`);
  const run = typeof probe === "function" ? probe : probe.use;
  return plain(await run(value as Value, module));
}

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);

/** Colours, ends of links, marks for shells and for the cursor, and what later versions say of a picture. */
const SIGNS = new RegExp(
  [
    `${ESC}\\[[\\d;]*m`,
    `${ESC}\\]8;;(?:${BEL}|${ESC}\\\\)`,
    `${ESC}\\]133;[A-D]${BEL}`,
    `${ESC}_pi:/?fc${BEL}`,
    ";size=\\d+(?=;)",
  ].join("|"),
  "g",
);

/**
 * As JSON has it, so that what is not there and what is undefined are the same; without colours and the
 * ends of links, which may come sooner or later and more than once, and without the last digits of numbers.
 */
export function plain(value: unknown): unknown {
  const text = JSON.stringify(value ?? null, (_key, part: unknown) => {
    if (typeof part === "string") return part.replaceAll(SIGNS, "");
    return typeof part === "number" ? Number(part.toPrecision(12)) : part;
  });
  return JSON.parse(text ?? "null");
}
