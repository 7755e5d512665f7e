import { randomBytes } from "node:crypto";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { mismatch } from "../../../events/index.ts";

interface Diagnostic {
  type: string;
  timestamp: number;
  error?: { name?: string; message: string; stack?: string; code?: string | number };
  details?: Record<string, unknown>;
}

/** Whatever was thrown, in words. */
export function formatThrownValue(value: unknown): string {
  if (value instanceof Error) return value.message || value.name;
  return String(value);
}

export function extractDiagnosticError(thrown: unknown): NonNullable<Diagnostic["error"]> {
  const message = formatThrownValue(thrown);
  if (!(thrown instanceof Error)) return { name: "ThrownValue", message };
  const { name, stack } = thrown;
  const code: unknown = Reflect.get(thrown, "code");
  const known = typeof code === "string" || typeof code === "number" ? { code } : {};
  return { name, message, ...(stack !== undefined && { stack }), ...known };
}

export function createAssistantMessageDiagnostic(
  type: string,
  error: unknown,
  details?: Record<string, unknown>,
): Diagnostic {
  const about = error === undefined ? {} : { error: extractDiagnosticError(error) };
  return { type, timestamp: Date.now(), ...about, ...(details && { details }) };
}

export function appendAssistantMessageDiagnostic(
  message: { diagnostics?: Diagnostic[] },
  diagnostic: Diagnostic,
): void {
  message.diagnostics = [...(message.diagnostics ?? []), diagnostic];
}

/** An id that sorts by the time it was made. */
export function uuidv7(timestampMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(timestampMs, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

interface Tool {
  readonly name: string;
  readonly parameters: TSchema;
}
interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** The arguments of a call as its tool takes them. Throws if they do not fit. */
export function validateToolArguments(tool: Tool, call: Call): unknown {
  const args: unknown = Value.Convert(tool.parameters, structuredClone(call.arguments));
  const problem = mismatch(tool.parameters, args);
  if (problem === undefined) return args;
  throw new Error(`The arguments of ${tool.name} are wrong: ${problem}.`);
}

export function validateToolCall(tools: readonly Tool[], call: Call) {
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) throw new Error(`There is no tool "${call.name}".`);
  return validateToolArguments(tool, call);
}

const cleanups = new Set<(sessionId?: string) => void>();

/** Registers what is called to release the resources of a session, or of all sessions. */
export function registerSessionResourceCleanup(cleanup: (sessionId?: string) => void): () => void {
  cleanups.add(cleanup);
  return () => void cleanups.delete(cleanup);
}

export function cleanupSessionResources(sessionId?: string): void {
  for (const cleanup of cleanups) cleanup(sessionId);
}
