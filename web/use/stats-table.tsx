import type { StatsAnswer, StatsRow } from "../../src/search/index.ts";
import { Link } from "../app/link.tsx";
import { agentType } from "../data/agent-types.ts";
import { sessionAddress } from "../data/route.ts";
import { baseName, count, money } from "../parts/format.ts";
import { Scrollable } from "../parts/scrollable.tsx";

/** More rows than these would be a list nobody reads. */
const MOST_ROWS = 200;

/** The numbers of the chart, and those it has no room for. */
export function StatsTable({ answer }: { answer: StatsAnswer }) {
  const isTime = ["day", "week", "month"].includes(answer.by);
  const rows = answer.rows.toSorted((one, other) =>
    isTime ? other.key.localeCompare(one.key) : (other.cost ?? 0) - (one.cost ?? 0),
  );
  return (
    <Scrollable class="wide-table" label="Tokens and cost">
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">{answer.by}</th>
            <th scope="col">calls</th>
            <th scope="col">input</th>
            <th scope="col">cached, read</th>
            <th scope="col">cached, written</th>
            <th scope="col">output</th>
            <th scope="col">cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row) => (
            <Row key={row.key} row={row} name={nameOf(row, answer.by)} />
          ))}
        </tbody>
        <tfoot>
          <Row row={answer.total} name="all" />
        </tfoot>
      </table>
    </Scrollable>
  );
}

function nameOf(row: StatsRow, by: string) {
  if (by === "session" && row.agent) {
    const where = [agentType(row.agent), row.project && baseName(row.project), row.key.slice(0, 8)];
    return (
      <Link to={sessionAddress({ agent: row.agent, session: row.key })}>
        {where.filter(Boolean).join(" · ")}
      </Link>
    );
  }
  if (by === "agent") return agentType(row.key);
  return by === "project" ? <span title={row.key}>{baseName(row.key)}</span> : row.key;
}

function Row({ row, name }: { row: StatsRow; name: ReturnType<typeof nameOf> }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{count(row.calls)}</td>
      <td>{count(row.input)}</td>
      <td>{count(row.cacheRead)}</td>
      <td>{count(row.cacheWrite)}</td>
      <td>{count(row.output)}</td>
      <td title={row.unpriced ? `${count(row.unpriced)} calls have no known price` : undefined}>
        {row.cost === undefined ? "unknown" : money(row.cost)}
        {row.cost !== undefined && row.unpriced ? " +" : ""}
      </td>
    </tr>
  );
}
