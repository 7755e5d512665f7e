import { readFileSync } from "node:fs";
import { stripFrontmatter } from "../../../extensions/index.ts";
import { DEFAULT_MAX_BYTES, truncateTail } from "../../../tools/index.ts";
import { findPrompts, findSkills } from "../../resources/index.ts";
import { ExecutionError, err, ok, SessionError } from "./harness.ts";

interface Env {
  readonly cwd: string;
  exec(
    command: string,
    options?: object,
  ): Promise<
    | { ok: true; value: { stdout: string; stderr: string; exitCode: number } }
    | { ok: false; error: Error }
  >;
}
interface Sourced<S> {
  readonly path: string;
  readonly source: S;
}

const listOf = (paths: string | readonly string[]) => (typeof paths === "string" ? [paths] : paths);
const isNamed = ({ sourceInfo }: { sourceInfo: { scope: string } }) =>
  sourceInfo.scope === "temporary";
const warned = (problem: { path: string; message: string }) => ({
  type: "warning" as const,
  code: "invalid_metadata",
  ...problem,
});

/** The skills of folders, with their text. */
export async function loadSkills({ cwd }: Pick<Env, "cwd">, dirs: string | readonly string[]) {
  const { skills, problems } = findSkills({ cwd, extraPaths: listOf(dirs) });
  const loaded = skills.filter(isNamed).map((skill) => ({
    ...skill,
    content: stripFrontmatter(readFileSync(skill.filePath, "utf8")).trim(),
  }));
  return { skills: loaded, diagnostics: problems.map(warned) };
}

export async function loadSourcedSkills<S>(env: Pick<Env, "cwd">, inputs: readonly Sourced<S>[]) {
  const found = await Promise.all(
    inputs.map(async ({ path, source }) => ({ source, ...(await loadSkills(env, path)) })),
  );
  return {
    skills: found.flatMap(({ skills, source }) => skills.map((skill) => ({ skill, source }))),
    diagnostics: found.flatMap(({ diagnostics, source }) =>
      diagnostics.map((one) => ({ ...one, source })),
    ),
  };
}

export async function loadPromptTemplates(
  { cwd }: Pick<Env, "cwd">,
  paths: string | readonly string[],
) {
  const { prompts, problems } = findPrompts({ cwd, extraPaths: listOf(paths) });
  return { promptTemplates: prompts.filter(isNamed), diagnostics: problems.map(warned) };
}

export async function loadSourcedPromptTemplates<S>(
  env: Pick<Env, "cwd">,
  inputs: readonly Sourced<S>[],
) {
  const found = await Promise.all(
    inputs.map(async ({ path, source }) => ({ source, ...(await loadPromptTemplates(env, path)) })),
  );
  return {
    promptTemplates: found.flatMap(({ promptTemplates, source }) =>
      promptTemplates.map((promptTemplate) => ({ promptTemplate, source })),
    ),
    diagnostics: found.flatMap(({ diagnostics, source }) =>
      diagnostics.map((one) => ({ ...one, source })),
    ),
  };
}

/** Runs a command where the environment says, and keeps the end of what it prints. */
export async function executeShellWithCapture(
  env: Env,
  command: string,
  options: { onChunk?: (chunk: string) => void; abortSignal?: AbortSignal } = {},
) {
  const { onChunk, ...given } = options;
  const ran = await env.exec(command, { ...given, onStdout: onChunk, onStderr: onChunk });
  if (!ran.ok)
    return options.abortSignal?.aborted
      ? ok({ output: "", exitCode: undefined, cancelled: true, truncated: false })
      : err(new ExecutionError("unknown", ran.error.message, ran.error));
  const { stdout, stderr, exitCode } = ran.value;
  const { content, truncated } = truncateTail(stdout + stderr, { maxBytes: DEFAULT_MAX_BYTES });
  return ok({ output: content, exitCode, cancelled: false, truncated });
}

export function getFileSystemResultOrThrow<T>(
  result: { ok: true; value: T } | { ok: false; error: Error & { code?: string } },
  message: string,
): T {
  if (result.ok) return result.value;
  const { error } = result;
  const code = error.code === "not_found" ? "not_found" : "storage";
  throw new SessionError(code, `${message}: ${error.message}`, error);
}
