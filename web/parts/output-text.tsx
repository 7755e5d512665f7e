import { useMemo, useState } from "preact/hooks";
import { ansiRuns } from "./ansi.ts";
import { CopyButton } from "./copy.tsx";
import { many } from "./format.ts";
import { Scrollable } from "./scrollable.tsx";

/** More lines than these are shown when somebody asks for them. */
const MOST_LINES = 200;

/** What a program printed, in its colours. */
export function OutputText({ text, label }: { text: string; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => text.split("\n"), [text]);
  const isLong = lines.length > MOST_LINES + 20;
  const shown = isLong && !isWhole ? lines.slice(0, MOST_LINES).join("\n") : text;
  const runs = useMemo(() => ansiRuns(shown), [shown]);
  return (
    <div class="output">
      <Scrollable class="printed" label={label}>
        <pre>
          {runs.map((run, n) =>
            run.classes ? (
              <span key={n} class={run.classes}>
                {run.text}
              </span>
            ) : (
              run.text
            ),
          )}
        </pre>
      </Scrollable>
      <div class="tools">
        {isLong && (
          <button type="button" class="text" onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Show less" : `Show all ${many(lines.length, "line")}`}
          </button>
        )}
        <CopyButton text={text} what={label} />
      </div>
    </div>
  );
}
