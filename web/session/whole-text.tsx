import type { ComponentChildren } from "preact";
import { useContext, useState } from "preact/hooks";
import type { Entry, Shown, WholeEntry } from "../../src/view/api.ts";
import { attempt } from "../app/notices.tsx";
import { get } from "../data/http.ts";
import { count } from "../parts/format.ts";
import { Session } from "./session-context.ts";

interface Props {
  readonly entry: Entry;
  readonly body: Shown;
  /** Shows the first lines only, until somebody wants all. */
  readonly mostLines?: number;
  readonly children: (text: string) => ComponentChildren;
}

/** A text of which the list has only the beginning, with a way to all of it. */
export function WholeText({ entry, body, mostLines, children }: Props) {
  const { place } = useContext(Session);
  const [whole, setWhole] = useState<string | undefined>(undefined);
  const [isAll, setAll] = useState(false);
  const isCut = body.of !== undefined && whole === undefined;
  const text = whole ?? body.text;
  const lines = mostLines === undefined ? [] : text.split("\n");
  const isFolded = mostLines !== undefined && !isAll && lines.length > mostLines + 2;
  const showAll = async () => {
    setAll(true);
    if (!isCut) return;
    const answer = await attempt(() => get<WholeEntry>("api/entry", { ...place, key: entry.key }));
    if (answer?.text !== undefined) setWhole(answer.text);
  };
  return (
    <>
      {children(isFolded ? lines.slice(0, mostLines).join("\n") : text)}
      {(isCut || isFolded) && (
        <button type="button" class="text small" onClick={() => void showAll()}>
          Show all
          {isFolded ? ` ${count(lines.length)} lines` : ` ${count(body.of ?? 0)} characters`}
        </button>
      )}
    </>
  );
}
