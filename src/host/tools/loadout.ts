import type { CallableTool, ToolLoadout, ToolLoadoutChanges } from "../../extensions/index.ts";
import type { ActiveTool } from "./active-tool.ts";

type Tools = ReadonlyMap<string, ActiveTool>;

/** The tools of a session: those that are offered, those that tools can call, and all. */
export interface Loadout {
  readonly active: Tools;
  readonly callable: Tools;
  readonly all: Tools;
}

/** A tool that has a say in how the others are described. */
interface Preparing {
  prepare(loadout: ToolLoadout): ToolLoadoutChanges | undefined;
  failed(thrown: unknown): void;
}

/** The active tools as the model is told of them. One that fails to describe them changes nothing. */
export function prepareLoadout(tools: Loadout, preparing: readonly Preparing[]): Tools {
  const loadout = loadoutOf(tools);
  const described = new Map(tools.active);
  for (const { prepare, failed } of preparing) {
    try {
      const { descriptions = {}, hiddenDeclarations = [] } = prepare(loadout) ?? {};
      for (const [name, description] of Object.entries(descriptions)) {
        const tool = described.get(name);
        if (tool) described.set(name, { ...tool, description: String(description) });
      }
      for (const name of hiddenDeclarations) {
        const tool = described.get(name);
        if (tool) described.set(name, { ...tool, isUndeclared: true });
      }
    } catch (thrown) {
      failed(thrown);
    }
  }
  return described;
}

function loadoutOf({ active, callable, all }: Loadout): ToolLoadout {
  return {
    declared: seen(active),
    callable: seen(callable),
    registered: seen(all),
    getExposure: (name) => all.get(name)?.exposure ?? "hidden",
    getNamespace: (name) => all.get(name)?.namespace,
    getPromptGuidelines: (name) => all.get(name)?.promptGuidelines ?? [],
  };
}

/** Tools as other tools see them. */
export function seen(tools: Tools): CallableTool[] {
  return [...tools.values()].map(({ name, label, description, parameters }) => ({
    name,
    label,
    description,
    parameters,
  }));
}
