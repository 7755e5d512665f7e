import { type Static, Type } from "typebox";
import { throwIfAborted, untilAborted } from "../abort.ts";
import { fileError } from "../file-error.ts";
import { formatSize } from "../format-size.ts";
import type { BuiltinTool, ToolResult } from "../tool.ts";
import { resolveToolPath } from "../tool-path.ts";
import { DEFAULT_MAX_LINES, type TruncationResult } from "../truncate.ts";
import { imageType } from "./image-type.ts";
import { localReadOperations, piecesOf, type ReadOperations } from "./operations.ts";
import { textResult } from "./text-result.ts";

const readSchema = Type.Object({
  path: Type.String({
    description: "The file to read, absolute or relative to the working folder",
  }),
  offset: Type.Optional(Type.Number({ description: "The first line to show, counted from 1" })),
  limit: Type.Optional(Type.Number({ description: "How many lines to show" })),
});

export type ReadToolInput = Static<typeof readSchema>;

export interface ReadToolDetails {
  truncation?: TruncationResult;
}

export interface ReadToolOptions {
  /**
   * Images above what models accept inline are described instead of sent. `false` sends them all
   * as they are. (The name is Pi's; Seam never changes an image.)
   */
  autoResizeImages?: boolean;
  operations?: ReadOperations;
}

/**
 * The tool with which models read files and images. `operations` can read elsewhere.
 *
 * @example
 * // Models read files through Seam's tool, and the extension counts how many.
 * const read = createReadTool(process.cwd());
 * let files = 0;
 * pi.registerTool({
 *   ...read,
 *   execute: (...call) => {
 *     files++;
 *     return read.execute(...call);
 *   },
 * });
 */
export function createReadTool(
  cwd: string,
  options: ReadToolOptions = {},
): BuiltinTool<typeof readSchema, ReadToolDetails | undefined> {
  const operations = options.operations ?? localReadOperations;
  const limitImages = options.autoResizeImages ?? true;
  return {
    name: "read",
    label: "read",
    description: `Read a file. Text comes as it is, at most ${DEFAULT_MAX_LINES} lines or 50KB at a time; offset and limit select a part. Images (png, jpg, gif, webp) are attached.`,
    promptSnippet: "Read text files and images",
    promptGuidelines: ["Use read to look at files, not cat, head or sed."],
    parameters: readSchema,
    execute: (_toolCallId, input, signal) =>
      untilAborted(signal, async () => {
        try {
          return await readFile(input, resolveToolPath(input.path, cwd), signal);
        } catch (error) {
          throwIfAborted(signal);
          throw fileError("read", input.path, error);
        }
      }),
  };

  async function readFile(
    input: ReadToolInput,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<ToolResult<ReadToolDetails | undefined>> {
    await operations.access(path);
    const detected = await operations.detectImageMimeType?.(path);
    const pieces = untilSignal(piecesOf(path, operations), signal);
    try {
      const { value } = await pieces.next();
      const start = value ?? Buffer.alloc(0);
      const mimeType = operations.detectImageMimeType ? detected : imageType(start);
      const all = startingWith(start, pieces);
      if (mimeType) return await imageResult(all, mimeType, limitImages);
      refuseBinary(start);
      return await textResult(all, input);
    } finally {
      await pieces.return(undefined);
    }
  }
}

async function* startingWith(
  first: Buffer,
  rest: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  yield first;
  yield* rest;
}

/** Stops asking for more of a file once nobody waits for it. */
async function* untilSignal(
  pieces: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, undefined, undefined> {
  for await (const piece of pieces) {
    throwIfAborted(signal);
    yield piece;
  }
}

/** Git looks this far into a file to tell text from binary. */
const CHECKED_BYTES = 8000;

/** Throws for a file that would only fill the model's context with noise. */
function refuseBinary(start: Buffer): void {
  if (!start.subarray(0, CHECKED_BYTES).includes(0)) return;
  const byteOrderMark = start.toString("hex", 0, 2);
  if (byteOrderMark === "fffe" || byteOrderMark === "feff") {
    throw new Error("it is UTF-16 text. Convert it with bash: iconv -f UTF-16 -t UTF-8");
  }
  throw new Error("it is a binary file. Look at it with bash, for example: file, xxd, strings");
}

/** Providers refuse an image of more than 5 MB of base64; 3.5 MB of bytes stay well below. */
const MAX_IMAGE_BYTES = 3.5 * 1024 * 1024;

async function imageResult(
  pieces: AsyncIterable<Buffer>,
  mimeType: string,
  limited: boolean,
): Promise<ToolResult<undefined>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    parts.push(piece);
    bytes += piece.length;
    if (limited && bytes > MAX_IMAGE_BYTES) return tooLarge(mimeType);
  }
  const text = `Image attached (${mimeType}, ${formatSize(bytes)}).`;
  const data = Buffer.concat(parts).toString("base64");
  return {
    content: [
      { type: "text", text },
      { type: "image", data, mimeType },
    ],
  };
}

function tooLarge(mimeType: string): ToolResult<undefined> {
  const limit = formatSize(MAX_IMAGE_BYTES);
  const text = `This image (${mimeType}) is larger than ${limit} and was not attached. Make a smaller copy with bash and read that.`;
  return { content: [{ type: "text", text }] };
}
