import { describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../events/index.ts";
import { load } from "../test-kit/index.ts";

/** What the 72 example extensions of Pi 0.74.2 use at run time. */
const PI = {
  "pi-coding-agent": `createBashTool, createEditTool, createReadTool, createWriteTool, createFindTool,
    createGrepTool, createLsTool, getAgentDir, CustomEditor, withFileMutationQueue, DynamicBorder,
    BorderedLoader, convertToLlm, serializeConversation, getMarkdownTheme, getSettingsListTheme,
    defineTool, parseFrontmatter, truncateHead, formatSize, DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES,
    VERSION`,
  "pi-tui": `Text, Container, Box, Spacer, Markdown, Editor, SelectList, SettingsList, matchesKey,
    parseKey, Key, isKeyRelease, truncateToWidth, visibleWidth, fuzzyFilter, CURSOR_MARKER`,
  "pi-ai": `complete, getModel, StringEnum, Type, calculateCost, streamSimple, streamSimpleAnthropic,
    streamSimpleOpenAIResponses, createAssistantMessageEventStream, registerApiProvider`,
};

async function imports(specifier: string, names: string) {
  const { set, seen } = await load({
    "a.ts": `import { ${names} } from "${specifier}";
      export default () => { seen.push(...Object.values({ ${names} })); };`,
  });
  expect(set.problems).toEqual([]);
  expect(seen).toHaveLength(names.split(",").length);
  expect(seen).not.toContain(undefined);
}

describe.each(["@earendil-works", "@mariozechner", "@oh-my-pi"])("%s", (scope) => {
  it.each(Object.entries(PI))("%s has every name Pi's own examples use", async (name, names) => {
    await imports(`${scope}/${name}`, names);
  });

  it("pi-agent-core can be imported, it has only types", async () => {
    const { set } = await load({
      "a.ts": `import "${scope}/pi-agent-core"; import type { Agent } from "${scope}/pi-agent-core";
        export default (agent: Agent) => {};`,
    });
    expect(set.problems).toEqual([]);
  });
});

describe("the others", () => {
  it.each([
    ["agentseam", "Type, defineTool, parseFrontmatter, isToolCallEventType, createBashTool"],
    ["typebox", "Type"],
    ["typebox/value", "Value"],
    ["typebox/compile", "Compile"],
    ["@sinclair/typebox", "Type"],
    ["@sinclair/typebox/value", "Value"],
    ["@sinclair/typebox/compile", "Compile"],
  ])("%s", async (specifier, names) => {
    await imports(specifier, names);
  });

  it("agentseam has all names of events, as its types say", async () => {
    const { seen } = await load({
      "a.ts": `import { EVENT_NAMES, type EventName } from "agentseam";
        export default (pi) => {
          const names: EventName[] = EVENT_NAMES.filter((name) => name.startsWith("tool_"));
          for (const name of names) pi.on(name, () => {});
          seen.push(...EVENT_NAMES);
        };`,
    });
    expect(seen).toEqual(EVENT_NAMES);
  });

  it("all extensions see the same module", async () => {
    const { seen } = await load({
      "a.ts": `import { Type } from "typebox"; export default () => { seen.push(Type); };`,
      "b.ts": `import { Type } from "agentseam"; export default () => { seen.push(Type); };`,
    });
    expect(seen[0]).toBe(seen[1]);
  });

  it("a whole module can be taken as a namespace", async () => {
    const { seen } = await load({
      "a.ts": `import * as ai from "@mariozechner/pi-ai";
        export default () => { seen.push(typeof ai.complete); };`,
    });
    expect(seen).toEqual(["function"]);
  });
});
