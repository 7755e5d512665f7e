export interface Step {
  readonly text: string;
  readonly done: boolean;
}

const HEADING = /^[#*_\s]*plan[*_:\s]*$/i;
const ITEM = /^ {0,3}(?:\*\*)?(\d+)[.)](?:\*\*)?\s+(.+)$/;
const DONE = /\[DONE:\s*(\d+)\]/gi;

/** The steps of the last list under a line that says "Plan". None if there is no such line. */
export function stepsIn(answer: string): Step[] {
  const lines = answer.split("\n");
  const heading = lines.findLastIndex((line) => HEADING.test(line));
  const steps: Step[] = [];
  for (const line of heading < 0 ? [] : lines.slice(heading + 1)) {
    const [, number, text = ""] = ITEM.exec(line) ?? [];
    // Numbered on from the step before: another list further down is not part of the plan.
    if (Number(number) === steps.length + 1) steps.push({ text: plain(text), done: false });
  }
  return steps;
}

/** The steps after an answer that may say [DONE:n]; the same list if it says nothing new. */
export function markDone(steps: readonly Step[], answer: string): readonly Step[] {
  const numbers = new Set([...answer.matchAll(DONE)].map(([, number]) => Number(number)));
  const isNew = ({ done }: Step, index: number) => !done && numbers.has(index + 1);
  if (!steps.some(isNew)) return steps;
  return steps.map((step, index) => (isNew(step, index) ? { ...step, done: true } : step));
}

/** The steps as lines, for people and for the model. */
export function listed(steps: readonly Step[]): string[] {
  return steps.map(({ text, done }, index) => `${done ? "☑" : "☐"} ${index + 1}. ${text}`);
}

function plain(text: string): string {
  return text.replaceAll("**", "").trim();
}
