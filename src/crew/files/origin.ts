/** Whose file it is. What a project's asks for counts only after the user agreed to it. */
export type Origin = "user" | "project" | "shipped";

/** Whose format it is written in. */
export type Format = "seam" | "pi-crew" | "claude-code" | "codex";

/** A file of a crew, as it was read. */
export interface FileSource {
  readonly path: string;
  readonly origin: Origin;
  readonly format: Format;
  readonly text: string;
}
