import type { AgentFolders } from "../agent.ts";
import { readBytes, unusable } from "./config-file.ts";
import type { FileChange, Finding, Installer, InstallPlan, Level } from "./installer.ts";

/** The first line of a plugin, by which Seam knows that it is its own. */
const MARK = /^\/\/ agentseam\b/;

/** How an agent is told about hooks by a plugin it loads. */
export interface PluginFile {
  file(level: Level, place: AgentFolders): string;
  /** The whole plugin. */
  text(): string;
  /** What the user has to know about it. */
  examine?(plan: InstallPlan): Promise<readonly Finding[]>;
  /** Files with which it can be kept from loading. */
  switches?(level: Level, place: AgentFolders): readonly string[];
}

export function pluginInstaller({ file, text, examine, switches }: PluginFile): Installer {
  const pathOf = ({ level, place }: Pick<InstallPlan, "level" | "place">) => file(level, place);
  const seams = (bytes: Buffer) =>
    MARK.test(
      bytes
        .subarray(0, 200)
        .toString()
        .replace(/^\uFEFF/, ""),
    );
  const install = (plan: InstallPlan): FileChange[] => {
    const path = pathOf(plan);
    const before = readBytes(path);
    const after = Buffer.from(text());
    if (before?.equals(after)) return [];
    if (before && !seams(before))
      throw unusable(path, "it is not Seam's, and Seam's plugin would go there");
    return [{ path, before, after }];
  };
  return {
    levels: ["project", "user"],
    files: (plan) => [pathOf(plan)],
    switches: ({ level, place }) => switches?.(level, place) ?? [],
    install,
    uninstall(plan) {
      const path = pathOf(plan);
      const before = readBytes(path);
      return before && seams(before) ? [{ path, before, after: undefined }] : [];
    },
    health(plan) {
      const before = readBytes(pathOf(plan));
      if (!before || !seams(before)) return "none";
      return install(plan).length > 0 ? "outdated" : "installed";
    },
    examine: async (plan) => (await examine?.(plan)) ?? [],
  };
}
