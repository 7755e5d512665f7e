import { type ErrorCode, SeamError } from "../errors/index.ts";
import { isRecord } from "../values/index.ts";
import type { SessionRef } from "./api/other-sessions.ts";

/**
 * Extensions are plain JavaScript at run time: what they register is checked where it is
 * registered, so that the error names the line.
 */

function refuse(code: ErrorCode, path: string, detail: string): never {
  throw new SeamError(code, { path, detail });
}

const isName = (value: unknown): value is string => typeof value === "string" && value !== "";

export function checkTool(path: string, tool: unknown): void {
  const code = "SEAM_TOOL_INVALID";
  if (!isRecord(tool)) refuse(code, path, "it is not an object");
  if (!isName(tool.name)) refuse(code, path, "it has no name");
  if (typeof tool.execute !== "function") refuse(code, path, `"${tool.name}" has no execute()`);
  if (typeof tool.description !== "string") refuse(code, path, `"${tool.name}" has no description`);
  if (!isRecord(tool.parameters) || tool.parameters.type !== "object") {
    refuse(code, path, `the parameters of "${tool.name}" are not an object schema`);
  }
}

export function checkCommand(path: string, name: unknown, options: unknown): void {
  const code = "SEAM_COMMAND_INVALID";
  if (!isName(name)) refuse(code, path, "it has no name");
  if (/\s/.test(name)) refuse(code, path, `"${name}" contains white space`);
  if (!isRecord(options) || typeof options.handler !== "function") {
    refuse(code, path, `"${name}" has no handler`);
  }
}

export function checkShortcut(path: string, shortcut: unknown, options: unknown): void {
  const code = "SEAM_SHORTCUT_INVALID";
  if (!isName(shortcut)) refuse(code, path, "it has no key");
  if (!isRecord(options) || typeof options.handler !== "function") {
    refuse(code, path, `"${shortcut}" has no handler`);
  }
}

export function checkFlag(path: string, name: unknown, options: unknown): void {
  const code = "SEAM_FLAG_INVALID";
  if (!isName(name)) refuse(code, path, "it has no name");
  if (!isRecord(options) || (options.type !== "boolean" && options.type !== "string")) {
    refuse(code, path, `"${name}" needs the type "boolean" or "string"`);
  }
  if (options.default !== undefined && typeof options.default !== options.type) {
    refuse(code, path, `the default of "${name}" is not a ${options.type}`);
  }
}

export function checkProvider(path: string, name: unknown, config: unknown): void {
  const code = "SEAM_PROVIDER_INVALID";
  if (!isName(name)) refuse(code, path, "it has no name");
  if (!isRecord(config)) refuse(code, path, `"${name}" has no configuration`);
  const { models, streamSimple } = config;
  if (models !== undefined && !Array.isArray(models)) {
    refuse(code, path, `the models of "${name}" are not a list`);
  }
  if (streamSimple !== undefined && typeof streamSimple !== "function") {
    refuse(code, path, `streamSimple of "${name}" is not a function`);
  }
  for (const model of models ?? []) {
    if (!isRecord(model) || !isName(model.id)) refuse(code, path, `a model of "${name}" has no id`);
  }
}

export function checkRenderer(path: string, customType: unknown, renderer: unknown): void {
  const code = "SEAM_RENDERER_INVALID";
  if (!isName(customType)) refuse(code, path, "it is for no type of message");
  if (typeof renderer !== "function") {
    refuse(code, path, `the one for "${customType}" is not a function`);
  }
}

export function checkDrawing(path: string, what: string, drawing: unknown): void {
  if (typeof drawing !== "function") {
    refuse("SEAM_RENDERER_INVALID", path, `the ${what} is not a function`);
  }
}

export function checkVirtualModel(path: string, model: unknown): void {
  const code = "SEAM_VIRTUAL_MODEL_INVALID";
  if (!isRecord(model)) refuse(code, path, "it is not an object");
  if (!isName(model.provider) || !isName(model.id)) {
    refuse(code, path, "it needs the names of a provider and a model");
  }
  if (typeof model.route !== "function") {
    refuse(code, path, `"${model.provider}/${model.id}" has no route()`);
  }
}

export function checkMcpServer(path: string, name: unknown, config: unknown): void {
  const code = "SEAM_MCP_SERVER_INVALID";
  // It becomes part of the names of its tools.
  if (!isName(name) || !/^[\w-]+$/.test(name)) {
    refuse(code, path, "its name has to consist of letters, digits, - and _");
  }
  const hasCommand = isRecord(config) && isName(config.command);
  const hasUrl = isRecord(config) && isName(config.url);
  if (hasCommand === hasUrl) refuse(code, path, `"${name}" needs either a command or a url`);
  if (hasUrl && !/^https?:/.test(String(config.url))) {
    refuse(code, path, `the url of "${name}" is not one of http or https`);
  }
}

export function checkSession(path: string, session: unknown): asserts session is SessionRef {
  const isOne = isRecord(session) && isName(session.agent) && isName(session.session);
  if (!isOne) refuse("SEAM_SESSION_INVALID", path, "it needs the names of an agent and a session");
}

export function checkText(path: string, text: unknown): asserts text is string {
  if (!isName(text)) refuse("SEAM_SESSION_INVALID", path, "what is to be said is no text");
}

/**
 * The JSON Schema of what another library describes, such as zod: those that follow the Standard JSON
 * Schema can say it. Anything else is returned as it is.
 */
export function jsonSchemaOf(schema: unknown): unknown {
  if (!isRecord(schema) && typeof schema !== "function") return schema;
  const standard: unknown = Reflect.get(schema, "~standard");
  const converter: unknown = isRecord(standard) ? standard.jsonSchema : undefined;
  const convert: unknown = isRecord(converter) ? converter.input : undefined;
  if (typeof convert !== "function") return schema;
  return convert({ target: "draft-2020-12" });
}
