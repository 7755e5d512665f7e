import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { throwIfAborted, untilAborted } from "../abort.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { fileError } from "../file-error.ts";
import { withFileMutationQueue } from "../mutation-queue.ts";
import type { BuiltinTool } from "../tool.ts";
import { resolveToolPath } from "../tool-path.ts";
import { applyEdits } from "./apply-edits.ts";
import { type EditToolInput, editSchema, prepareEditArguments } from "./arguments.ts";
import { showDiff } from "./show-diff.ts";

const BYTE_ORDER_MARK = "\uFEFF";

export interface EditToolDetails {
  diff: string;
  /** In the new file, for editors to jump to. */
  firstChangedLine?: number;
}

/** Where files are edited. Replace it to edit on another machine. */
export interface EditOperations {
  readFile: (absolutePath: string) => Promise<Buffer>;
  writeFile: (absolutePath: string, content: string) => Promise<void>;
  /** Throws when the file cannot be read and written. */
  access: (absolutePath: string) => Promise<void>;
}

export interface EditToolOptions {
  operations?: EditOperations;
}

const localOperations: EditOperations = {
  readFile: (path) => readFile(path),
  writeFile: writeFileAtomic,
  access: (path) => access(path, constants.R_OK | constants.W_OK),
};

/**
 * The tool with which models replace texts in a file. `operations` can read and write elsewhere.
 *
 * @example
 * // Files are changed as a person would see them: every edit goes through the same tool, with a note.
 * const edit = createEditTool(process.cwd());
 * pi.registerTool({ ...edit, description: `${edit.description} Never touch generated files.` });
 */
export function createEditTool(
  cwd: string,
  options: EditToolOptions = {},
): BuiltinTool<typeof editSchema, EditToolDetails | undefined> {
  const operations = options.operations ?? localOperations;
  return {
    name: "edit",
    label: "edit",
    description:
      "Change parts of a file by replacing exact text. Each oldText must be in the file exactly once. Several places in one file go into one call, as several edits.",
    promptSnippet: "Change parts of a file by replacing exact text",
    promptGuidelines: [
      "Use edit for changes to existing files, with one call per file and one entry in edits per place.",
      "Keep oldText in edit short: just enough to be unique in the file.",
      "Entries of one edit call must not overlap; changes to the same lines belong into one entry.",
    ],
    parameters: editSchema,
    prepareArguments: prepareEditArguments,
    async execute(_toolCallId, input, signal) {
      const path = resolveToolPath(input.path, cwd);
      const change = () => editFile(path, input, operations, signal);
      const details = await untilAborted(signal, () => withFileMutationQueue(path, change));
      const places = input.edits.length === 1 ? "1 place" : `${input.edits.length} places`;
      const text = `Changed ${places} in ${input.path}.`;
      return { content: [{ type: "text", text }], details };
    },
  };
}

async function editFile(
  path: string,
  input: EditToolInput,
  operations: EditOperations,
  signal: AbortSignal | undefined,
): Promise<EditToolDetails> {
  throwIfAborted(signal);
  try {
    await operations.access(path);
    const bytes = await operations.readFile(path);
    // Writing it back as UTF-8 would change every byte that is not.
    if (!isUtf8(bytes)) throw new Error("it is not UTF-8 text. Change it with bash instead");
    const content = bytes.toString("utf8");
    const mark = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    const before = content.slice(mark.length);
    const after = applyEdits(before, input.edits);
    throwIfAborted(signal);
    await operations.writeFile(path, mark + after);
    const { diff, firstChangedLine } = showDiff(before, after);
    return firstChangedLine === undefined ? { diff } : { diff, firstChangedLine };
  } catch (error) {
    throwIfAborted(signal);
    throw fileError("edit", input.path, error);
  }
}
