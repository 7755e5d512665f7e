import { POLICIES, SETTING_KEYS } from "../../src/settings/index.ts";
import { code, table } from "./markdown.ts";

/** What each setting may do from which file, as the code that reads them has it. */
export function policyTable(): readonly string[] {
  const rows = SETTING_KEYS.map((key) => {
    const { untrusted, trusted } = POLICIES[key];
    return [code(key), "counts", untrusted, trusted];
  });
  return table(
    ["setting", "your file", "a project's file, not trusted", "a project's file, trusted"],
    rows,
  );
}
