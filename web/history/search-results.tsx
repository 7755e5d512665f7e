import { useRef, useState } from "preact/hooks";
import type { Hit, SearchAnswer } from "../../src/search/index.ts";
import { useKeys } from "../app/keys.ts";
import { Link } from "../app/link.tsx";
import { attempt } from "../app/notices.tsx";
import { agentType } from "../data/agent-types.ts";
import type { Answered } from "../data/answered.ts";
import { clock } from "../data/clock.ts";
import { post } from "../data/http.ts";
import { useLoad, useMore } from "../data/load.ts";
import { address, sessionAddress } from "../data/route.ts";
import { withoutAnsi } from "../parts/ansi.ts";
import { baseName, many, moment } from "../parts/format.ts";
import { Empty, Shown } from "../parts/states.tsx";
import { marked, searchWish } from "./search-wish.ts";

/** The best hit of each session, with what was looked for marked. */
export function SearchResults() {
  const wish = searchWish(address.value.query);
  const name = JSON.stringify(wish);
  const loaded = useLoad(`search ${name}`, () => post<Answered<SearchAnswer>>("api/search", wish));
  useMore(loaded, loaded.value?.index?.isComplete === false);
  return <Shown loaded={loaded}>{(found) => <Found key={name} wish={wish} first={found} />}</Shown>;
}

const BY: Readonly<Partial<Record<string, string>>> = {
  "any word": "No entry has all of these words. These have some of them.",
  substring: "Not found as words. These have it inside of a word.",
};

function Found({ wish, first }: { wish: object; first: Answered<SearchAnswer> }) {
  const [more, setMore] = useState<readonly SearchAnswer[]>([]);
  const list = useRef<HTMLOListElement>(null);
  useKeys({
    "entry.next": () => step(list.current, 1),
    "entry.previous": () => step(list.current, -1),
  });
  const answers = [...(first.answer ? [first.answer] : []), ...more];
  const hits = answers.flatMap((answer) => answer.hits);
  const cursor = answers.at(-1)?.cursor;
  const readMore = async () => {
    const next = await attempt(() =>
      post<Answered<SearchAnswer>>("api/search", { ...wish, cursor }),
    );
    if (next?.answer) setMore([...more, next.answer]);
  };
  return (
    <>
      {first.index?.isComplete === false && (
        <p class="note">Your sessions are still being read. What is found in them is added here.</p>
      )}
      {hits.length === 0 && first.index?.isComplete === false ? null : hits.length === 0 ? (
        <Empty title="Nothing found" command={'seam search "…" --substring'}>
          Try fewer words, or turn on “tool output, too”. On the command line, a part of a word is
          found with:
        </Empty>
      ) : (
        <p class="note">{BY[first.answer?.by ?? ""] ?? many(hits.length, "session")}</p>
      )}
      <ol class="hits" ref={list}>
        {hits.map((hit) => (
          <HitRow key={`${hit.agent}/${hit.session}`} hit={hit} />
        ))}
      </ol>
      {cursor && (
        <button type="button" onClick={() => void readMore()}>
          Show more
        </button>
      )}
    </>
  );
}

function HitRow({ hit }: { hit: Hit }) {
  const where = [
    agentType(hit.agent),
    hit.project && baseName(hit.project),
    hit.at && moment(hit.at, clock.value),
  ];
  const to = sessionAddress(hit, hit.position === undefined ? {} : { line: String(hit.position) });
  return (
    <li>
      <Link class="hit" to={to}>
        <span class="title cut" dir="auto">
          {withoutAnsi(hit.title ?? "A session without a prompt")}
        </span>
        <span class="faint cut">{where.filter(Boolean).join(" · ")}</span>
        <span class="snippet">
          <span class="faint">{hit.tool ?? hit.role} </span>
          <bdi>
            {marked(hit.snippet).map((piece, n) =>
              piece.isHit ? <mark key={`${n}`}>{piece.text}</mark> : piece.text,
            )}
          </bdi>
        </span>
        {hit.hits > 1 && <span class="faint small">{many(hit.hits, "hit")} in this session</span>}
      </Link>
    </li>
  );
}

/** Moves the focus from link to link. */
function step(list: HTMLElement | null, by: number): boolean {
  const links = [...(list?.querySelectorAll("a") ?? [])];
  const at = links.findIndex((link) => link.matches(":focus"));
  const next = links[Math.max(0, Math.min(links.length - 1, at + by))];
  next?.focus();
  return next !== undefined;
}
