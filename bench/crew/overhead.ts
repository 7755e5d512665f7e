import { atMost, type Case, median } from "../frame.ts";
import { CrewScratch, timed } from "./scratch.ts";

const ROUNDS = Number(process.env.BENCH_CREW_ROUNDS ?? 3);
const MANY = Number(process.env.BENCH_CREW_TASKS ?? 50);
const AT_ONCE = 4;

/** What a crew adds to the time of the agents themselves. */
export async function* overheadCases(say: (text: string) => void): AsyncGenerator<Case> {
  yield await three(say);
  yield await many(say);
}

async function three(say: (text: string) => void): Promise<Case> {
  const scratch = new CrewScratch();
  const names = ["one", "two", "three"];
  const models = names.map((name) => {
    const call = { name: "write", arguments: { path: `${name}.txt`, content: `${name}\n` } };
    return scratch.script(name, [
      { toolCalls: [call], delayMs: 1_000 },
      { text: "Done.", delayMs: 1_000 },
    ]);
  });
  const tasks = names.map((name, at) => {
    const after = at === 0 ? "" : `dependsOn: ${names[at - 1]}\n`;
    return `## ${name}\nrole: walker\nagent: seam:${models[at]}\n${after}\nWrite ${name}.txt.\n`;
  });
  scratch.workflow("three", "", tasks);
  const crew: number[] = [];
  const hand: number[] = [];
  try {
    await scratch.seam("crew", "list");
    for (let round = 0; round < ROUNDS; round++) {
      say(`three tasks one after the other, round ${round + 1}`);
      hand.push(
        await timed(async () => {
          for (const model of models) await scratch.agent(model, "Write a file.");
        }),
      );
      scratch.git("clean", "--quiet", "--force");
      crew.push(await timed(() => scratch.seam("crew", "run", "three", "Write.", "--json")));
    }
  } finally {
    await scratch.remove();
  }
  return atMost({
    name: "a run of 3 sequential tasks over the same agents by hand",
    value: median(crew) / median(hand),
    bar: 1.15,
    unit: "times",
    detail: [
      { name: "crew", value: median(crew), unit: "ms" },
      { name: "by hand", value: median(hand), unit: "ms" },
    ],
  });
}

async function many(say: (text: string) => void): Promise<Case> {
  const scratch = new CrewScratch({ atOnce: AT_ONCE });
  const model = scratch.script("many", [{ text: '{"number": 1}' }]);
  const list = Array.from({ length: MANY }, (_, at) => `item-${at}`);
  const keys = `role: walker\naccess: read\nagent: seam:${model}\nforEach: ${list.join(", ")}\nresult: { number: number }\n`;
  scratch.workflow("many", `maxConcurrency: ${AT_ONCE}\n`, [`## many\n${keys}\nCount {item}.\n`]);
  try {
    await scratch.seam("crew", "list");
    say(`${MANY} agents alone`);
    const alone = await timed(async () => {
      const left = [...list];
      const worker = async () => {
        for (let item = left.pop(); item !== undefined; item = left.pop()) {
          await scratch.agent(model, `Count ${item}.`);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    });
    say(`${MANY} tasks of a crew`);
    const crew = await timed(() => scratch.seam("crew", "run", "many", "Count.", "--json"));
    return atMost({
      name: `${MANY} tasks with a typed result, ${AT_ONCE} at once, over starting the agents alone`,
      value: crew / alone,
      bar: 1.5,
      unit: "times",
      detail: [
        { name: "crew", value: crew, unit: "ms" },
        { name: "alone", value: alone, unit: "ms" },
      ],
    });
  } finally {
    await scratch.remove();
  }
}
