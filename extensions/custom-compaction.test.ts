import { expect, it } from "vitest";
import type { ScriptedTurn } from "../src/host/models/index.ts";
import { checkScript } from "../src/host/models/scripted/parse-script.ts";
import { Script } from "../src/host/models/scripted/script.ts";
import { embedded } from "./test-kit/embedded.ts";

const LONG = "A long answer that fills more than what is kept word for word. ".repeat(3);
// Asked for twice: for the conversation, and for the first part of the turn that is cut.
const DEFAULT = { text: "The default summary." };

async function compacted(
  cheap: { turns: ScriptedTurn[]; model?: { contextWindow: number } },
  { flag = "scripted/cheap", instructions }: { flag?: string; instructions?: string } = {},
) {
  const asked: string[] = [];
  const started = await embedded("custom-compaction.ts", {
    turns: [{ text: LONG }, { text: LONG }, DEFAULT, DEFAULT],
    answers: [],
    compaction: { keepRecentTokens: 5, reserveTokens: 100 },
    flags: flag === "" ? {} : { "compaction-model": flag },
    prepare: (models) => {
      const script = new Script("cheap", checkScript(cheap, "cheap"));
      const { stream } = script;
      script.stream = (request, options) => {
        asked.push(JSON.stringify(request.messages));
        return stream.call(script, request, options);
      };
      models.addScript(script);
    },
  });
  await started.agent.prompt("The first question");
  await started.agent.prompt("The second question");
  await started.agent.compact(instructions);
  const entry = started.agent.session.getBranch().find(({ type }) => type === "compaction");
  const warnings = started.seen.notifications.map(({ message }) => message);
  return { ...started, entry, warnings, asked };
}

it("the cheaper model's summary takes the place of the conversation", async () => {
  const cheap = { turns: [{ text: "# Goal\nMinutes." }] };
  const { entry, asked, warnings, problems } = await compacted(cheap, { instructions: "Be brief" });
  expect(entry).toMatchObject({
    summary: "# Goal\nMinutes.",
    fromHook: true,
    details: { by: "scripted/cheap" },
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain("The first question");
  expect(asked[0]).toContain("Be brief");
  expect([...warnings, ...problems()]).toEqual([]);
});

it("without the flag the default does it", async () => {
  const { entry, asked, warnings } = await compacted({ turns: [] }, { flag: "" });
  expect(entry).toMatchObject({ summary: expect.stringContaining("The default summary.") });
  expect(entry).not.toMatchObject({ fromHook: true });
  expect([...asked, ...warnings]).toEqual([]);
});

it.each([
  ["fails", { turns: [{ error: { message: "It is closed." } }] }, {}, "It is closed."],
  ["says nothing", { turns: [{ text: "  " }] }, {}, "empty"],
  ["is cut off", { turns: [{ text: "Half", stopReason: "length" as const }] }, {}, "not finish"],
  ["is too small", { turns: [], model: { contextWindow: 10 } }, {}, "too long"],
  ["does not exist", { turns: [] }, { flag: "nobody/nothing" }, "no such model"],
])("a model that %s leaves it to the default, and that is said", async (_, cheap, options, why) => {
  const { entry, warnings, problems } = await compacted(cheap, options);
  expect(entry).toMatchObject({ summary: expect.stringContaining("The default summary.") });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(why);
  expect(problems()).toEqual([]);
});
