import { atMost, type Case } from "../frame.ts";
import { CrewScratch, timed } from "./scratch.ts";

const MANY = Number(process.env.BENCH_CREW_TASKS ?? 50);
const AT_ONCE = 4;

/** Many small tasks at once: what a crew adds to starting the agents. */
export async function manyTasksCase(say: (text: string) => void): Promise<Case> {
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
