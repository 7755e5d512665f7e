import type { AgentFolders } from "../agent.ts";
import {
  asConfig,
  type ConfigFile,
  readBytes,
  readConfig,
  toBytes,
  unusable,
} from "./config-file.ts";
import { examineFile, type FileProblem, type Reads } from "./examine-file.ts";
import type { Shape } from "./handler-list.ts";
import type {
  FileChange,
  Finding,
  Health,
  Installer,
  InstallPlan,
  Level,
  UninstallPlan,
} from "./installer.ts";
import { entriesOf, valueAt } from "./json-text.ts";
import { hasEntries, NoPlace, type Wanted, withEntries, withoutEntries } from "./merge.ts";

/** How an agent is told about hooks in a JSON file. */
export interface HookFile {
  /** As users know the agent. */
  readonly title: string;
  /** Native names, with what can be answered. */
  readonly hooks: Readonly<Record<string, { readonly powers: readonly unknown[] }>>;
  /** Per level: the file written by default, then the one that is shared, if there is another. */
  files(level: Level, place: AgentFolders): readonly string[];
  /** Files beside these with which its hooks can be switched off. */
  switches?(level: Level, place: AgentFolders): readonly string[];
  readonly offCommand?: RegExp;
  readonly shape: Shape;
  /** The item of an event's list. */
  entry(hook: string, command: string, canDecide: boolean): unknown;
  /** What the file has to say beside its hooks. */
  readonly top?: Wanted["top"];
  /** Nobody but Seam has a reason to write this file. */
  readonly ownFile?: boolean;
  readonly reads: Reads;
  /** What the agent would object to in the whole file. */
  problems?(value: unknown): readonly FileProblem[];
  /** What else can keep hooks from running. Sees the files as they are. */
  examine?(plan: InstallPlan, files: readonly ConfigFile[]): readonly Finding[];
}

/** The lists of hooks as an agent reads them, by native name, for a file that holds nothing else. */
export function hookLists(
  mapping: HookFile["hooks"],
  entry: HookFile["entry"],
  command: (hook: string) => string,
): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(mapping).map(([hook, { powers }]) => [
      hook,
      [entry(hook, command(hook), powers.length > 0)],
    ]),
  );
}

export function hookFileInstaller(spec: HookFile): Installer {
  const { shape, top = {} } = spec;
  const files: Installer["files"] = ({ level, place }) => spec.files(level, place);

  const holds = (path: string): boolean => {
    try {
      return hasEntries(readConfig(path).json, shape);
    } catch {
      return false;
    }
  };

  /** Where Seam already is, also if that is the shared file; or where it would go. */
  const target = (plan: InstallPlan): ConfigFile => {
    const all = files(plan);
    const [first = ""] = all;
    return readConfig(plan.shared ? (all.at(-1) ?? first) : (all.find(holds) ?? first));
  };

  /** Whether nobody but this user has the file, so that it may say where this user's Seam is. */
  const isPrivate = (plan: InstallPlan, path: string): boolean => {
    const [first, ...others] = files(plan);
    return plan.level === "user" || (others.length > 0 ? path === first : !plan.shared);
  };

  const wanted = (plan: InstallPlan, path: string): Wanted => ({
    top,
    entries: new Map(
      Object.entries(spec.hooks).map(([hook, { powers }]) => [
        hook,
        spec.entry(hook, plan.command(hook, isPrivate(plan, path)), powers.length > 0),
      ]),
    ),
  });

  const install = (plan: InstallPlan): FileChange[] => {
    const config = target(plan);
    const text = placed(config.path, () =>
      withEntries(config.json, shape, wanted(plan, config.path)),
    );
    return change(config, text);
  };

  return {
    levels: ["project", "user"],
    files,
    switches: ({ level, place }) => spec.switches?.(level, place) ?? [],
    ...(spec.offCommand && { offCommand: spec.offCommand }),
    install,
    uninstall(plan: UninstallPlan) {
      const wantedFiles = files(plan).filter((path) => (plan.only ?? path) === path);
      return wantedFiles.flatMap((path) => {
        const config = readConfig(path);
        if (config.bytes === undefined) return [];
        const wasThere = memory(path, plan, spec);
        const text = placed(path, () => withoutEntries(config.json, shape, top, wasThere));
        return change(config, text);
      });
    },
    health(plan): Health {
      try {
        if (!files(plan).some(holds)) {
          for (const path of files(plan)) readConfig(path);
          return "none";
        }
        // One file may be the user's own or everybody's: nobody else knows which it is meant to be.
        const forms = files(plan).length > 1 ? [false] : [false, true];
        const isKnown = forms.some((shared) => install({ ...plan, shared }).length === 0);
        return isKnown ? "installed" : "outdated";
      } catch {
        return "damaged";
      }
    },
    async examine(plan) {
      const there = files(plan).filter((path) => readBytes(path) !== undefined);
      const found = there.map((path) => examineFile(spec, path));
      const configs = found.flatMap(({ config }) => config ?? []);
      const ours = configs.filter(({ json }) => hasEntries(json, shape));
      return [...found.flatMap(({ findings }) => findings), ...(spec.examine?.(plan, ours) ?? [])];
    },
  };
}

function change(config: ConfigFile, text: string | undefined): FileChange[] {
  if (text === config.json.text && config.bytes !== undefined) return [];
  const { path, bytes } = config;
  return [{ path, before: bytes, after: text === undefined ? undefined : toBytes(config, text) }];
}

function placed<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof NoPlace) throw unusable(path, thrown.message);
    throw thrown;
  }
}

/** Which parts of a file were there before Seam came. What is not known is taken to be Seam's. */
function memory(
  path: string,
  { originals }: UninstallPlan,
  spec: HookFile,
): (path: readonly string[]) => boolean {
  if (!originals?.has(path)) {
    // The file and what says its version may be somebody else's; empty lists hardly are.
    return ([first]) => first !== "hooks" && !spec.ownFile;
  }
  const original = originals.get(path);
  if (original === undefined) return () => false;
  const { root } = asConfig(path, original).json;
  const keys = new Set(entriesOf(root).map(([key]) => key));
  const events = new Set(entriesOf(valueAt(root, "hooks")).map(([event]) => event));
  return ([first, event]) =>
    first === undefined || (event === undefined ? keys.has(first) : events.has(event));
}
