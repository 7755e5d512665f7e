import { readFileSync } from "node:fs";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { type Static, Type } from "typebox";
import { messageOf, SeamError } from "../../errors/index.ts";
import { mismatch } from "../../events/index.ts";
import { APIS } from "./apis/index.ts";
import type { Layer } from "./provider.ts";

const Cost = Type.Object({
  input: Type.Number(),
  output: Type.Number(),
  cacheRead: Type.Number({ default: 0 }),
  cacheWrite: Type.Number({ default: 0 }),
});

const ModelFields = {
  name: Type.String(),
  api: Type.String(),
  baseUrl: Type.String(),
  reasoning: Type.Boolean(),
  thinkingLevelMap: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
  input: Type.Array(Type.Union([Type.Literal("text"), Type.Literal("image")])),
  cost: Type.Partial(Cost),
  contextWindow: Type.Number({ exclusiveMinimum: 0 }),
  maxTokens: Type.Number({ exclusiveMinimum: 0 }),
  headers: Type.Record(Type.String(), Type.String()),
  compat: Type.Record(Type.String(), Type.Unknown()),
};

const ModelEntry = Type.Intersect([
  Type.Object({ id: Type.String({ minLength: 1 }) }),
  Type.Partial(Type.Object(ModelFields)),
]);

/** Pi's fields of one provider in models.json. Unknown ones are left alone. */
const ProviderEntry = Type.Partial(
  Type.Object({
    name: Type.String(),
    baseUrl: Type.String(),
    api: Type.String(),
    apiKey: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    authHeader: Type.Boolean(),
    models: Type.Array(ModelEntry),
    modelOverrides: Type.Record(Type.String(), Type.Partial(Type.Object(ModelFields))),
  }),
);

export interface ModelsFile {
  readonly layers: ReadonlyMap<string, Layer>;
  /** Never fatal: what could not be used, and why. */
  readonly problems: readonly SeamError[];
}

/** The user's own endpoints and changes. A file that is not there is an empty one. */
export function readModelsFile(path: string): ModelsFile {
  const layers = new Map<string, Layer>();
  const problems: SeamError[] = [];
  const report = (detail: string) => {
    problems.push(new SeamError("SEAM_MODELS_FILE", { path, detail }));
  };
  for (const [name, entry] of Object.entries(providersIn(path, report))) {
    const layer = layerOf(name, entry, report);
    if (layer) layers.set(name, layer);
  }
  return { layers, problems };
}

function providersIn(path: string, report: (detail: string) => void): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    if (!messageOf(thrown).startsWith("ENOENT")) report(messageOf(thrown));
    return {};
  }
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text, errors, { allowTrailingComma: true });
  } catch (thrown) {
    report(messageOf(thrown));
    return {};
  }
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split("\n").length;
    report(`${printParseErrorCode(first.error)} in line ${line}`);
    return {};
  }
  if (!isObject(value) || !isObject(value.providers)) {
    report('it has no "providers"');
    return {};
  }
  return value.providers;
}

function layerOf(
  name: string,
  entry: unknown,
  report: (detail: string) => void,
): Layer | undefined {
  const problem = mismatch(ProviderEntry, entry);
  if (problem) {
    report(`"${name}": ${problem}`);
    return undefined;
  }
  // Boundary: checked against the schema in the line above.
  const provider = entry as Static<typeof ProviderEntry>;
  const unknown = [provider.api, ...(provider.models ?? []).map(({ api }) => api)].find(
    (api) => api !== undefined && !APIS.has(api),
  );
  if (unknown !== undefined) {
    report(`"${name}" speaks "${unknown}"; known are ${[...APIS.keys()].join(", ")}`);
    return undefined;
  }
  const { models, modelOverrides, ...config } = provider;
  return {
    config: { ...config, ...(models && { models: models.map(complete) }) },
    models: "join",
    mayRunCommands: true,
    ...(modelOverrides && { overrides: modelOverrides }),
  };
}

/** Pi's defaults for what a user leaves out. */
function complete(model: Static<typeof ModelEntry>) {
  const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    name: model.id,
    reasoning: false,
    input: ["text" as const],
    contextWindow: 128_000,
    maxTokens: 16_384,
    ...model,
    cost: { ...free, ...model.cost },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
