import type { DeclaredName } from "./declared-names.ts";

export interface Example {
  readonly name: string;
  readonly code: string;
}

/** The examples in the comments of names, as a reader would copy them. */
export function examplesIn(names: readonly DeclaredName[]): Example[] {
  return names.flatMap(({ name, comment }) =>
    [...comment.matchAll(/@example\n([\s\S]*?)(?=\n \* @|\n? \*\/)/g)].map(([, text = ""]) => ({
      name,
      code: text.replace(/^ \* ?/gm, "").replaceAll("*\\/", "*/"),
    })),
  );
}

/** What examples may use without saying where they have it from. */
const GIVEN: Readonly<Record<string, string>> = {
  pi: 'import type { ExtensionAPI as GivenAPI } from "agentseam";\ndeclare const pi: GivenAPI;',
  error: "declare const error: unknown;",
  Type: 'import { Type } from "agentseam";',
  homedir: 'import { homedir } from "node:os";',
  readFileSync: 'import { readFileSync } from "node:fs";',
};

/** An example as a file: what it uses of its door is imported, unless it does so itself. */
export function completed(
  code: string,
  specifier: string,
  names: readonly { readonly name: string }[],
): string {
  if (/^import /m.test(code)) return code;
  const isUsed = (name: string) => new RegExp(`(?<![.\\w$])${name}\\b`).test(code);
  const isMade = (name: string) =>
    new RegExp(`\\b(?:const|let|function) ${name}\\b|\\(${name}: `).test(code);
  const own = names.map(({ name }) => name).filter((name) => isUsed(name) && !isMade(name));
  const given = Object.keys(GIVEN).filter(
    (name) => isUsed(name) && !isMade(name) && !own.includes(name),
  );
  return [
    ...given.map((name) => GIVEN[name]),
    own.length > 0 ? `import { ${own.join(", ")} } from "${specifier}";` : "",
    code,
    "export {};",
  ].join("\n");
}
