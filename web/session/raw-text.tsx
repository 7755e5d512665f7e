import { useContext } from "preact/hooks";
import type { RawLine } from "../../src/view/api.ts";
import { get } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { bytes, count } from "../parts/format.ts";
import { OutputText } from "../parts/output-text.tsx";
import { Shown } from "../parts/states.tsx";
import { Session } from "./session-context.ts";

/** The line of the transcript that an entry was read from, as the agent wrote it. */
export function RawText({ entryKey }: { entryKey: string }) {
  const { place } = useContext(Session);
  const { agent, session, child } = place;
  const loaded = useLoad(`raw ${agent} ${session} ${child} ${entryKey}`, (signal) =>
    get<RawLine>("api/raw", { ...place, key: entryKey }, signal),
  );
  return (
    <Shown loaded={loaded}>
      {(raw) => (
        <>
          <p class="small dim">
            {raw.file}, line {count(raw.line + 1)}
          </p>
          <OneLine text={raw.text} of={raw.of} label="the raw line" />
          {raw.result && (
            <>
              <p class="small dim">Its result, line {count(raw.result.line + 1)}</p>
              <OneLine
                text={raw.result.text}
                of={raw.result.of}
                label="the raw line of the result"
              />
            </>
          )}
        </>
      )}
    </Shown>
  );
}

function OneLine({ text, of, label }: { text: string; of: number | undefined; label: string }) {
  return (
    <>
      <OutputText text={pretty(text)} label={label} />
      {of !== undefined && <p class="small faint">cut: the line has {bytes(of)}</p>}
    </>
  );
}

/** JSON with its structure to be seen; anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
