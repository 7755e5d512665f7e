import type { Redactor } from "../../src/record/redact/index.ts";
import { DIST } from "../built.ts";

/** The built one. */
export async function loadRedactor(): Promise<Redactor> {
  const url = new URL("record/redact/index.js", DIST).href;
  const { createRedactor }: typeof import("../../src/record/redact/index.ts") = await import(url);
  return createRedactor();
}
