import { pathBytes, pathParts, type RawPath } from "./raw-path.ts";

/** Characters that one widespread file system ignores in names, so that they can hide a `.git`. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** What Windows takes for `.git`: in any case, by its short name, with dots or spaces behind. */
const WINDOWS_DOT_GIT = /^(\.git|git~1)[. ]*(:|$)/i;

/**
 * Whether git keeps a file of this path. The rules are those of `git fsck`, which count on every
 * system: what is harmless here could be the repository's own folder where it is checked out.
 */
export function isStorable(path: RawPath, mode?: string): boolean {
  const parts = pathParts(path);
  if (mode === "120000" && isDotGitModules(parts.at(-1) ?? "")) return false;
  return path.length < 4096 && !path.includes("\0") && parts.every(isStorableName);
}

function isStorableName(name: RawPath): boolean {
  if (name === "" || name === "." || name === "..") return false;
  if (name.split("\\").some((part) => WINDOWS_DOT_GIT.test(part))) return false;
  const text = pathBytes(name).toString("utf8").replace(IGNORED, "");
  return text.toLowerCase() !== ".git";
}

/** Whether it is the file of submodules: a link could lead git to settings that nobody has seen. */
function isDotGitModules(name: string): boolean {
  return /^(\.gitmodules|gitmod~[1-4]|gi7eba~[1-9])[. ]*(:|$)/i.test(
    name.replace(/\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g, ""),
  );
}
