import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
// Around the index on purpose: these modules are what extensions see, not what other rooms do.
import { wholeModules } from "../../src/host/pi/whole-modules.ts";
import { importedNames } from "./imported-names.ts";
import { PI_ROOT, requirePeers } from "./pi.ts";

requirePeers();
const found = importedNames();
const wanted = [...found].flatMap(([specifier, names]) =>
  [...names].sort().map((name) => [specifier, name] as const),
);
const modules = wholeModules(() => {
  throw new Error("no model is asked here");
});

/** As Pi's own copy of the examples' host exports it. */
async function inPi(specifier: string): Promise<object> {
  if (specifier.endsWith("/pi-coding-agent")) return import(`${PI_ROOT}/dist/index.js`);
  const [, name] = specifier.split("/");
  const folder = new URL(`../${name}/`, pathToFileURL(`${PI_ROOT}/`));
  return import(fileURLToPath(new URL("dist/index.js", folder)));
}

const sorted = (names: string) => names.split(/\s+/).sort();
const kindOf = (module: object | undefined, name: string) =>
  module && typeof Reflect.get(module, name);

test("the examples need exactly these names when they run", () => {
  expect(Object.fromEntries([...found].map(([key, names]) => [key, [...names].sort()]))).toEqual({
    "@earendil-works/pi-coding-agent": sorted(`createBashTool createEditTool createReadTool
      createWriteTool createFindTool createGrepTool createLsTool getAgentDir CustomEditor
      withFileMutationQueue DynamicBorder BorderedLoader convertToLlm serializeConversation
      getMarkdownTheme getSettingsListTheme defineTool parseFrontmatter truncateHead formatSize
      DEFAULT_MAX_BYTES DEFAULT_MAX_LINES VERSION`),
    "@earendil-works/pi-tui": sorted(`Text Container Box Spacer Markdown Editor SelectList
      SettingsList matchesKey parseKey Key isKeyRelease truncateToWidth visibleWidth fuzzyFilter
      CURSOR_MARKER`),
    "@earendil-works/pi-ai": sorted(`complete getModel StringEnum Type calculateCost streamSimple
      streamSimpleAnthropic streamSimpleOpenAIResponses createAssistantMessageEventStream
      registerApiProvider`),
  });
});

test.each(wanted)("%s has %s, of the same kind as in Pi", async (specifier, name) => {
  const kind = kindOf(modules[specifier], name);
  expect(kind).not.toBe("undefined");
  expect(kind).toBe(kindOf(await inPi(specifier), name));
});
