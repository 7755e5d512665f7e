import { useContext, useState } from "preact/hooks";
import type { Entry, WholeEntry } from "../../src/view/api.ts";
import { useKeys } from "../app/keys.ts";
import { get } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { bytes } from "../parts/format.ts";
import { inSight } from "../parts/in-sight.ts";
import { OutputText } from "../parts/output-text.tsx";
import { Shown } from "../parts/states.tsx";
import { RawText } from "./raw-text.tsx";
import { openName, Session } from "./session-context.ts";
import { TodoList } from "./todo-list.tsx";

type Part = "diff" | "output" | "input" | "raw";

const NAMES: Readonly<Record<Part, string>> = {
  diff: "Diff",
  output: "Output",
  input: "Input",
  raw: "Raw",
};

/** All of a tool call: what it would change, what came back, what it was given, its raw line. */
export function CallDetail({ entry }: { entry: Extract<Entry, { kind: "call" }> }) {
  const { place, focused } = useContext(Session);
  const { agent, session, child } = place;
  const [wanted, setWanted] = useState<Part | undefined>(undefined);
  const isFocused = focused === openName(place, entry.key);
  useKeys({
    "entry.raw": () => {
      if (!isFocused) return false;
      setWanted((before) => (before === "raw" ? undefined : "raw"));
      return true;
    },
  });
  // The state is part of the name: what a call gave is not there while it runs.
  const name = `entry ${agent} ${session} ${child} ${entry.key} ${entry.call.state}`;
  const loaded = useLoad(name, (signal) =>
    get<WholeEntry>("api/entry", { ...place, key: entry.key }, signal),
  );
  return (
    <div class="inside">
      <Shown loaded={loaded}>
        {(whole) => {
          const parts = partsOf(whole);
          const part = wanted ?? parts[0] ?? "raw";
          return (
            <>
              <fieldset class="parts" aria-label="What to show of this call">
                {parts.map((one) => (
                  <button
                    type="button"
                    class="bare small"
                    key={one}
                    aria-pressed={one === part}
                    onClick={() => setWanted(one)}
                  >
                    {NAMES[one]}
                  </button>
                ))}
                {entry.call.nativeTool !== entry.call.tool && (
                  <span class="small faint push">{entry.call.nativeTool}</span>
                )}
              </fieldset>
              {part === "diff" && <DiffView text={whole.diff ?? ""} />}
              {part === "output" && <OutputText text={whole.output ?? ""} label="the output" />}
              {part === "input" && <InputText input={whole.input} />}
              {part === "raw" && <RawText entryKey={entry.key} />}
              {entry.call.todos && part !== "raw" && <TodoList todos={entry.call.todos} />}
              {whole.cut && part !== "raw" && (
                <p class="small faint">{bytes(whole.cut.bytes)} more are only in the transcript.</p>
              )}
            </>
          );
        }}
      </Shown>
    </div>
  );
}

function partsOf(whole: WholeEntry): Part[] {
  const parts: Part[] = [];
  if (whole.diff) parts.push("diff");
  if (whole.output) parts.push("output");
  if (whole.input !== undefined) parts.push("input");
  parts.push("raw");
  return parts;
}

/** What a tool was given: short values in a line each, long ones whole below their name. */
function InputText({ input }: { input: unknown }) {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return <OutputText text={asText(input)} label="the input" />;
  }
  const values = Object.entries(input);
  const only = values.length === 1 ? values[0] : undefined;
  if (only && typeof only[1] === "string")
    return <OutputText text={inSight(only[1])} label={`the ${only[0]}`} />;
  return (
    <dl class="input">
      {values.map(([name, value]) => {
        const text = asText(value);
        return (
          <div key={name} data-long={text.includes("\n") || text.length > 90}>
            <dt>{name}</dt>
            <dd>
              <pre>{inSight(text)}</pre>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, null, 2) ?? "";
}
