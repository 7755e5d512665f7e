import type { STATS_BY, StatsAnswer, StatsRequest, StatsRow } from "../../src/search/index.ts";
import { Boundary } from "../app/boundary.tsx";
import { Page } from "../app/page.tsx";
import { Top } from "../app/top.tsx";
import type { Answered } from "../data/answered.ts";
import { post } from "../data/http.ts";
import { useLoad, useMore } from "../data/load.ts";
import { address, setQuery } from "../data/route.ts";
import { Empty, Sentence, Shown } from "../parts/states.tsx";
import { withEmptyDays } from "./chart-layout.ts";
import { ExtensionTable } from "./extension-table.tsx";
import { StatsTable } from "./stats-table.tsx";
import { type Measure, UseChart } from "./use-chart.tsx";

const BY: typeof STATS_BY = ["day", "week", "month", "model", "agent", "project", "session"];
const SPANS = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["all", "all"],
] as const;
const DAY = 24 * 60 * 60 * 1000;

/** What it took: tokens and cost, and what extensions did. */
export function UseView() {
  const { by = "day", span = "30", measure = "cost" } = address.value.query;
  const since =
    span !== "all" ? new Date(Date.now() - Number(span) * DAY).toISOString().slice(0, 10) : "";
  const wish: StatsRequest = {
    by,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(since ? { since } : {}),
  };
  const loaded = useLoad(`stats ${JSON.stringify(wish)}`, () =>
    post<Answered<StatsAnswer>>("api/stats", wish),
  );
  const isPart = loaded.value?.index?.isComplete === false;
  useMore(loaded, isPart);
  return (
    <main class="middle">
      <Top title="Use" />
      <Page>
        <div class="row bar">
          <Choices name="by" label="Add up by" value={by} options={BY.map((one) => [one, one])} />
          <Choices name="span" label="Time" value={span} options={SPANS} />
          <Choices
            name="measure"
            label="What"
            value={measure}
            options={[
              ["cost", "cost"],
              ["tokens", "tokens"],
            ]}
          />
        </div>
        <Boundary what="Tokens and cost">
          <Shown loaded={loaded}>
            {({ answer }) => (
              <>
                {isPart && (
                  <p class="note" role="status">
                    Your sessions are still being read. These numbers grow until that is done.
                  </p>
                )}
                {(!isPart || (answer?.rows.length ?? 0) > 0) && (
                  <Stats answer={answer} measure={measure === "tokens" ? "tokens" : "cost"} />
                )}
              </>
            )}
          </Shown>
        </Boundary>
        <Boundary what="The table of extensions">
          <ExtensionTable />
        </Boundary>
      </Page>
    </main>
  );
}

function Stats({ answer, measure }: { answer: StatsAnswer | undefined; measure: Measure }) {
  if (!answer || answer.rows.length === 0) {
    return (
      <Empty title="No use in this time" command="seam stats">
        Tokens and cost of all agents on this machine are added up here, also from before Seam was
        installed. The same numbers on the command line:
      </Empty>
    );
  }
  const rows = answer.rows.toSorted((one, other) => one.key.localeCompare(other.key));
  const isTime = ["day", "week", "month"].includes(answer.by);
  const shown = isTime ? withEmptyDays(rows, nothing) : [];
  return (
    <>
      {shown.length > 1 && <UseChart rows={shown} measure={measure} />}
      <StatsTable answer={answer} />
      {answer.unknownPrices.length > 0 && (
        <p class="note">
          <Sentence
            text={`No price is known for ${answer.unknownPrices.join(", ")}, so the cost is without them. Give one in the setting \`prices\`.`}
          />
        </p>
      )}
      <p class="note">Prices of {answer.pricesOf}. What is not known is not guessed.</p>
    </>
  );
}

function nothing(key: string): StatsRow {
  return { key, calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
}

function Choices(props: {
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
}) {
  return (
    <fieldset class="choices-bar" aria-label={props.label}>
      {props.options.map(([value, label]) => (
        <button
          type="button"
          class="bare"
          key={value}
          aria-pressed={props.value === value}
          onClick={() => setQuery({ [props.name]: value }, true)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
