import { isRecord } from "../../values/index.ts";
import { type Json, list, parsed, record } from "../transcripts/json.ts";
import type { ExportedMessage } from "./database.ts";

/** A session as `opencode export` writes it and `opencode import` reads it. */
export interface ExportedSession {
  readonly info: Json;
  readonly messages: readonly ExportedMessage[];
}

/** One message a line: so it can be cut at line ends, and what does not change stays the same. */
export function writeExport({ info, messages }: ExportedSession): Buffer {
  const lines = messages.map((message) => JSON.stringify(message)).join(",\n");
  return Buffer.from(`{"info":${JSON.stringify(info)},"messages":[\n${lines}\n]}\n`);
}

export function readExport(content: Buffer): ExportedSession | undefined {
  const { info, messages } = record(parsed(content.toString("utf8").replace(/^\uFEFF/, "")));
  if (!isRecord(info) || !Array.isArray(messages)) return undefined;
  return {
    info,
    messages: messages.map((message) => {
      const { info: about, parts } = record(message);
      return { info: record(about), parts: list(parts).filter(isRecord) };
    }),
  };
}
