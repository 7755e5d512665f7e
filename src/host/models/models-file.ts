import { readFileSync } from "node:fs";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { type Static, Type } from "typebox";
import { messageOf, SeamError } from "../../errors/index.ts";
import { mismatch } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
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
  const { providers, lineOf } = providersIn(path, report);
  for (const [name, entry] of Object.entries(providers)) {
    const layer = layerOf(entry, (detail, where) =>
      report(`line ${lineOf(["providers", name, ...where])}, "${name}": ${detail}`),
    );
    if (layer) layers.set(name, layer);
  }
  return { layers, problems };
}

type Where = readonly (string | number)[];

interface Providers {
  readonly providers: Record<string, unknown>;
  /** Where something stands, or what is nearest around it. */
  readonly lineOf: (where: Where) => number;
}

const NONE: Providers = { providers: {}, lineOf: () => 1 };

function providersIn(path: string, report: (detail: string) => void): Providers {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    if (!messageOf(thrown).startsWith("ENOENT")) report(messageOf(thrown));
    return NONE;
  }
  const errors: ParseError[] = [];
  let root: Node | undefined;
  let value: unknown;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
    value = root && getNodeValue(root);
  } catch (thrown) {
    report(messageOf(thrown));
    return NONE;
  }
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const [first] = errors;
  if (first) {
    const words = printParseErrorCode(first.error).replace(/(?<=[a-z])[A-Z]/g, " $&");
    report(`line ${lineAt(first.offset)}: ${words.toLowerCase()}`);
    return NONE;
  }
  if (!root || !isRecord(value) || !isRecord(value.providers)) {
    report('it has no "providers"');
    return NONE;
  }
  const tree = root;
  return {
    providers: value.providers,
    lineOf: (where) => lineAt(nearestNode(tree, where).offset),
  };
}

/** The node of a path, or the innermost one around where it would be. */
function nearestNode(root: Node, where: Where): Node {
  for (let length = where.length; length > 0; length--) {
    const node = findNodeAtLocation(root, where.slice(0, length));
    // A value may be many lines long: its key is where it begins.
    if (node) return node.parent?.type === "property" ? node.parent : node;
  }
  return root;
}

function layerOf(
  entry: unknown,
  report: (detail: string, where: Where) => void,
): Layer | undefined {
  const problem = mismatch(ProviderEntry, entry);
  if (problem) {
    report(problem, pathIn(problem));
    return undefined;
  }
  // Boundary: checked against the schema in the line above.
  const provider = entry as Static<typeof ProviderEntry>;
  const apis: [string | undefined, Where][] = [
    [provider.api, ["api"]],
    ...(provider.models ?? []).map(({ api }, i): [string | undefined, Where] => [
      api,
      ["models", i, "api"],
    ]),
  ];
  const unknown = apis.find(([api]) => api !== undefined && !APIS.has(api));
  if (unknown) {
    const [api, where] = unknown;
    report(`it speaks "${api}"; known are ${[...APIS.keys()].join(", ")}`, where);
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

/** `models.0.id must be string` begins with where it is. */
function pathIn(problem: string): Where {
  const [path = ""] = problem.split(" ");
  return path.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
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
