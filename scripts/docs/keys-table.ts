import { KEYS, keyNames } from "../../web/app/key-table.ts";
import { code, table } from "./markdown.ts";

/** Every key of the page. */
export function keysTable(): readonly string[] {
  const rows = keyNames().map((name) => {
    const { keys, about, group } = KEYS[name];
    return [code(keys), about, group];
  });
  return table(["key", "what it does", "where"], rows);
}
