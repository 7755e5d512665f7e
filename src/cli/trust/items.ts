import { existsSync } from "node:fs";
import { basename, relative } from "node:path";
import { type AskingCrewFile, askingCrewFiles, findCrewFiles } from "../../crew/index.ts";
import type { SeamError } from "../../errors/index.ts";
import { isCritical, type JudgedExtension, judgeProject, trust } from "../../extensions/index.ts";
import { readRegular, SMALL_FILE } from "../../files/index.ts";
import {
  type AskingFile,
  agree,
  agreementsOf,
  type Content,
  changesSince,
  type FileChange,
  faultOf,
  loadSettings,
  seamHome,
  type Trust,
  withdraw,
} from "../../settings/index.ts";

/** Something of a project that the user can trust: a settings file, an extension, or a crew's file. */
export interface TrustItem {
  readonly kind: "settings" | "extension" | "crew";
  readonly name: string;
  readonly path: string;
  readonly trust: Trust;
  /** Of settings and crews: what they ask for, in words. */
  readonly asks: readonly string[];
  readonly critical: boolean;
  /** The files it is made of now. */
  readonly files: readonly string[];
  /** How it differs from what was trusted. */
  readonly changes: readonly FileChange[];
  /** What is wrong with the copy of what was trusted. */
  readonly fault?: string;
  /** Why it cannot be trusted as it is. */
  readonly problem?: SeamError;
  /** The user agrees to it as it is now, which may be that it is gone. */
  accept(): void;
}

const NOTHING: Content = new Map();

/** Everything of a project that has the user's trust, or waits for it. */
export function trustItems(root: string): TrustItem[] {
  const settings = loadSettings(root).asking.map((file) => fileItem(root, "settings", file));
  const files = findCrewFiles({ home: seamHome(), repository: root });
  const crews = askingCrewFiles(files, root).map((file) => fileItem(root, "crew", file));
  return [...settings, ...crews, ...judgeProject(root).map((one) => extensionItem(root, one))];
}

/** Whether the user has something to decide. */
export function isWaiting({ trust: state, fault }: TrustItem): boolean {
  return state !== "trusted" || fault !== undefined;
}

function fileItem(
  root: string,
  kind: "settings" | "crew",
  { path, trust: state, asks }: AskingFile | AskingCrewFile,
): TrustItem {
  const content: Content = existsSync(path)
    ? new Map([[path, readRegular(path, SMALL_FILE)]])
    : NOTHING;
  const accept = () =>
    state === "gone" ? withdraw(root, [path]) : agree(root, [{ kind, path, content }]);
  const common = { kind, name: basename(path), path, trust: state, asks };
  return {
    ...common,
    critical: false,
    files: [...content.keys()],
    ...since(root, path, content),
    accept,
  };
}

function extensionItem(root: string, judged: JudgedExtension): TrustItem {
  const { source, content = NOTHING, problem, trusted } = judged;
  const { name, path } = source;
  return {
    kind: "extension",
    name,
    path,
    trust: judged.trust,
    asks: [],
    critical: isCritical(trusted ?? source),
    files: [...content.keys()],
    ...since(root, path, content),
    ...(problem && { problem }),
    accept: () => (judged.trust === "gone" ? withdraw(root, [path]) : trust(root, [judged])),
  };
}

function since(root: string, path: string, content: Content): Pick<TrustItem, "changes" | "fault"> {
  const agreement = agreementsOf(root)[relative(root, path)];
  if (!agreement) return { changes: [] };
  const fault = faultOf(agreement.id);
  return { changes: changesSince(agreement.id, content), ...(fault !== undefined && { fault }) };
}
