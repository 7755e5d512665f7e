/** The part of a JSON schema that matters for showing it. */
export interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly default?: unknown;
}

/** A schema as one would write the type in TypeScript. A title is the name of a type. */
export function typeText(schema: Schema): string {
  const { type, title, items, properties, patternProperties } = schema;
  if (title !== undefined) return title;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map(typeText).join(" | ");
  if (type === "array") return listText(typeText(items ?? {}));
  if (properties) return `{ ${fieldTexts(schema).join("; ")} }`;
  if (type === "object") {
    const [value = {}] = Object.values(patternProperties ?? {});
    return `Record<string, ${typeText(value)}>`;
  }
  if (type === "integer") return "number";
  return type ?? "unknown";
}

function listText(item: string): string {
  return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function fieldTexts({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? "" : "?"}: ${typeText(schema)}`,
  );
}
