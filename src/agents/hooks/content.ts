import type { UserContent } from "../../events/index.ts";
import { textOfContent } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import { type Json, jsonText, parsedRecord, recordOf } from "./fields.ts";

/** One way in which agents write a tool's result down, and how to put another text into it. */
interface Shape {
  readonly fits: (result: Json) => boolean;
  readonly get: (result: Json) => UserContent[];
  readonly put: (result: Json, content: readonly UserContent[]) => Json | undefined;
}

const text = (value: string): UserContent => ({ type: "text", text: value });

/** The first shape that fits is used. */
const SHAPES: readonly Shape[] = [
  {
    fits: ({ stdout }) => typeof stdout === "string",
    get: ({ stdout, stderr }) => {
      const parts = [stdout, stderr].filter((part) => typeof part === "string" && part !== "");
      return parts.length > 0 ? [text(parts.join("\n"))] : [];
    },
    put: (result, content) => ({
      ...result,
      stdout: textOf(content),
      ...("stderr" in result && { stderr: "" }),
    }),
  },
  {
    fits: ({ file }) => isRecord(file) && typeof file.content === "string",
    get: ({ file }) => [text(String(recordOf(file).content))],
    put: (result, content) => ({
      ...result,
      file: { ...recordOf(result.file), content: textOf(content) },
    }),
  },
  {
    fits: (result) => Array.isArray(result.content) && result.content.every(isTextBlock),
    get: ({ content }) => contentOf(content),
    put: (result, content) => ({ ...result, content: [text(textOf(content))] }),
  },
  {
    // Any other value is shown as JSON, and a changed JSON with the same fields is taken back.
    fits: () => true,
    get: (result) => [text(jsonText(result))],
    put: (result, content) => {
      const changed = parsedRecord(textOf(content));
      const same = changed && Object.keys(result).every((key) => key in changed);
      return same ? changed : undefined;
    },
  },
];

function shapeOf(result: Json): Shape | undefined {
  return SHAPES.find(({ fits }) => fits(result));
}

function isTextBlock(block: unknown): boolean {
  return isRecord(block) && block.type === "text" && typeof block.text === "string";
}

/** A tool's result as blocks, however the agent wrote it. */
export function contentOf(result: unknown): UserContent[] {
  if (result === undefined || result === null) return [];
  if (typeof result === "string") return [text(result)];
  if (Array.isArray(result)) return result.map(blockOf);
  if (isRecord(result)) return shapeOf(result)?.get(result) ?? [];
  return [text(String(result))];
}

function blockOf(block: unknown): UserContent {
  if (typeof block === "string") return text(block);
  if (!isRecord(block)) return text(jsonText(block));
  if (typeof block.text === "string") return text(block.text);
  const { type, data, mimeType } = block;
  if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
    return { type, data, mimeType };
  }
  return text(jsonText(block));
}

/**
 * The agent's own result with another content in it, in the same shape. Undefined: this shape
 * cannot hold it.
 */
export function withContent(result: unknown, content: readonly UserContent[]): unknown {
  if (typeof result === "string") return textOf(content);
  if (Array.isArray(result) && result.every(isTextBlock)) return [text(textOf(content))];
  return isRecord(result) ? shapeOf(result)?.put(result, content) : undefined;
}

/** The text of the blocks; images appear only by name. */
export function textOf(content: readonly UserContent[]): string {
  return textOfContent(content, { image: ({ mimeType }) => `[image: ${mimeType}]` });
}
