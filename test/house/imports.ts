import { parseAst } from "vitest/node";

/** What was found in a text: several checks look at the same files. */
const known = new Map<string, readonly string[]>();

/** Every module a TypeScript file names: imports, re-exports, `import()` as code and as type. */
export function importsOf(source: string): readonly string[] {
  const before = known.get(source);
  if (before) return before;
  const found: string[] = [];
  known.set(source, found);
  const visit = (node: unknown): void => {
    if (!isRecord(node)) return;
    const { type, source: from } = node;
    const names = typeof type === "string" && NAMING.has(type);
    if (names && isRecord(from) && typeof from.value === "string") found.push(from.value);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(source, { lang: "ts", sourceType: "module" }));
  return found;
}

const NAMING = new Set([
  "ImportDeclaration",
  "ExportAllDeclaration",
  "ExportNamedDeclaration",
  "ImportExpression",
  "TSImportType",
]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
