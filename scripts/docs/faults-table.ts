import { type Fault, TOLD, type Told } from "../../test/agents/seam/faults/fault.ts";
import { FAULTS } from "../../test/agents/seam/faults/table.ts";
import { table } from "./markdown.ts";

const WHO: Readonly<Record<Told, string>> = {
  model: "the model",
  log: "the log",
  status: "`seam status`",
  doctor: "`seam doctor`",
};

/** What the tests with real agents prove: what becomes of a forbidden call, and who is told. */
export function faultsTable(): readonly string[] {
  const rows = FAULTS.map(({ name, call, told }) => [
    name,
    call.critical,
    call.ordinary,
    whoIsTold(told),
  ]);
  return table(["what is broken", "critical gate", "ordinary gate", "who is told"], rows);
}

function whoIsTold(told: Fault["told"]): string {
  if (!told) return "depends on what else fails";
  const named = TOLD.filter((one) => told.critical.includes(one) || told.ordinary.includes(one));
  const words = named.map((one) => {
    const only = told.ordinary.includes(one) ? "" : " (critical)";
    return `${WHO[one]}${only}`;
  });
  return words.join(", ") || "nobody has to be";
}
