import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { type Static, Type } from "typebox";
import { throwIfAborted, untilAborted } from "./abort.ts";
import { writeFileAtomic } from "./atomic-write.ts";
import { fileError } from "./file-error.ts";
import { withFileMutationQueue } from "./mutation-queue.ts";
import type { BuiltinTool } from "./tool.ts";
import { resolveToolPath } from "./tool-path.ts";

const writeSchema = Type.Object({
  path: Type.String({
    description: "The file to write, absolute or relative to the working folder",
  }),
  content: Type.String({ description: "Everything the file shall contain" }),
});

export type WriteToolInput = Static<typeof writeSchema>;

/** Where files are written. Replace it to write on another machine. */
export interface WriteOperations {
  writeFile: (absolutePath: string, content: string) => Promise<void>;
  /** Creates the folder and those above it; one that is there already is fine. */
  mkdir: (folder: string) => Promise<void>;
}

export interface WriteToolOptions {
  operations?: WriteOperations;
}

const localOperations: WriteOperations = {
  writeFile: writeFileAtomic,
  mkdir: async (folder) => {
    await mkdir(folder, { recursive: true });
  },
};

/**
 * The tool with which models write whole files. `operations` can write elsewhere.
 *
 * @example
 * // What models write goes to another folder.
 * pi.registerTool(createWriteTool("/tmp/draft"));
 */
export function createWriteTool(
  cwd: string,
  options: WriteToolOptions = {},
): BuiltinTool<typeof writeSchema, undefined> {
  const operations = options.operations ?? localOperations;
  return {
    name: "write",
    label: "write",
    description:
      "Write a whole file. A new file is created together with its folders; an existing file is replaced.",
    promptSnippet: "Create files or replace their whole content",
    promptGuidelines: ["Use write for new files and full rewrites; use edit to change parts."],
    parameters: writeSchema,
    async execute(_toolCallId, { path, content }, signal) {
      const absolutePath = resolveToolPath(path, cwd);
      const write = async () => {
        throwIfAborted(signal);
        try {
          await operations.mkdir(dirname(absolutePath));
          throwIfAborted(signal);
          await operations.writeFile(absolutePath, content);
        } catch (error) {
          throwIfAborted(signal);
          throw fileError("write", path, error);
        }
      };
      await untilAborted(signal, () => withFileMutationQueue(absolutePath, write));
      const text = `Wrote ${Buffer.byteLength(content)} bytes to ${path}.`;
      return { content: [{ type: "text", text }], details: undefined };
    },
  };
}
