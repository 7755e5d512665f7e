import { basename } from "node:path";
import {
  type AskingCrewFile,
  anyProjectPrograms,
  askingCrewFiles,
  findCrewFiles,
} from "../../crew/index.ts";
import type { SeamError } from "../../errors/index.ts";
import { isCritical, type JudgedExtension, judgeProject, trust } from "../../extensions/index.ts";
import {
  type AskingFile,
  agree,
  agreementTo,
  type Content,
  changesFrom,
  copyBehind,
  type FileChange,
  faultOf,
  type HeldAgreement,
  heldAgreements,
  idOf,
  keyOf,
  loadSettings,
  manifestOf,
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
  /** The name that a copy of these files would have: the same only if all of them are the same. */
  readonly id: string;
  /** How it differs from what was trusted. */
  readonly changes: readonly FileChange[];
  /** It was trusted in another work tree of the repository: there. */
  readonly trustedIn?: string;
  /** What is wrong with the copy of what was trusted. */
  readonly fault?: string;
  /** Why it cannot be trusted as it is. */
  readonly problem?: SeamError;
  /** The user agrees to it as it is now, which may be that it is gone. */
  accept(): void;
}

const NOTHING: Content = new Map();

/** Everything of a project that has the user's trust, or waits for it. */
export async function trustItems(root: string): Promise<TrustItem[]> {
  const settings = loadSettings(root).asking.map((file) => fileItem(root, "settings", file));
  const files = findCrewFiles({ home: seamHome(), repository: root });
  const programs = await anyProjectPrograms(root);
  const crews = askingCrewFiles(files, root, programs).map((file) => fileItem(root, "crew", file));
  return [...settings, ...crews, ...judgeProject(root).map((one) => extensionItem(root, one))];
}

/** Which of these are not what they were: somebody changed them while the user was reading. */
export async function changedMeanwhile(
  root: string,
  items: readonly TrustItem[],
): Promise<TrustItem[]> {
  const now = new Map((await trustItems(root)).map(({ path, id }) => [path, id]));
  return items.filter(({ path, id }) => now.get(path) !== id);
}

/** Whether the user has something to decide. */
export function isWaiting({ trust: state, fault }: TrustItem): boolean {
  return state !== "trusted" || fault !== undefined;
}

function fileItem(
  root: string,
  kind: "settings" | "crew",
  { path, trust: state, asks, text }: AskingFile | AskingCrewFile,
): TrustItem {
  // Not read again: somebody may change it while the user reads what it asks for.
  const content: Content = text === undefined ? NOTHING : new Map([[path, Buffer.from(text)]]);
  const accept = () =>
    state === "gone" ? withdraw(root, [path]) : agree(root, [{ kind, path, content }]);
  const common = { kind, name: basename(path), path, trust: state, asks };
  const id = idOf(manifestOf(content));
  const agreement = agreementTo(heldAgreements(root).get(keyOf(root, path)), id);
  return {
    ...common,
    critical: false,
    files: [...content.keys()],
    id,
    ...since(root, agreement, content),
    accept,
  };
}

function extensionItem(root: string, judged: JudgedExtension): TrustItem {
  const { source, content = NOTHING, problem, trusted, agreement } = judged;
  const { name, path } = source;
  return {
    kind: "extension",
    name,
    path,
    trust: judged.trust,
    asks: [],
    critical: isCritical(trusted ?? source),
    files: [...content.keys()],
    id: idOf(manifestOf(content)),
    ...since(root, agreement, content),
    ...(problem && { problem }),
    accept: () => (judged.trust === "gone" ? withdraw(root, [path]) : trust(root, [judged])),
  };
}

function since(
  root: string,
  agreement: HeldAgreement | undefined,
  content: Content,
): Pick<TrustItem, "changes" | "fault" | "trustedIn"> {
  if (!agreement) return { changes: [] };
  const copy = copyBehind(root, agreement);
  const fault = faultOf(copy.id);
  return {
    changes: changesFrom(root, agreement, content),
    ...(agreement.lender && { trustedIn: copy.root }),
    ...(fault !== undefined && { fault }),
  };
}
