import { useContext } from "preact/hooks";
import type { Entry } from "../../src/view/api.ts";
import { Boundary } from "../app/boundary.tsx";
import { addressOf } from "../data/http.ts";
import { withoutAnsi } from "../parts/ansi.ts";
import { bytes, clock, many } from "../parts/format.ts";
import { MarkdownText } from "../parts/markdown-text.tsx";
import { CallRow, skillLabel } from "./call-row.tsx";
import { FoldLine } from "./fold-line.tsx";
import { RawText } from "./raw-text.tsx";
import { openName, Session } from "./session-context.ts";
import { WholeText } from "./whole-text.tsx";

/** One thing in a session. What cannot be shown does not hide the others. */
export function EntryRow({ entry }: { entry: Entry }) {
  const session = useContext(Session);
  const name = openName(session.place, entry.key);
  return (
    <Boundary what="This entry" isSmall>
      <article
        class={`entry ${entry.kind} ${session.isFresh(entry.key) ? "fresh" : ""}`}
        data-key={name}
        aria-current={session.focused === name ? "true" : undefined}
        aria-label={LABELS[entry.kind] ?? "Entry"}
      >
        <Body entry={entry} isOpen={session.open.has(name)} toggle={() => session.toggle(name)} />
        {entry.images && entry.images.length > 0 && <Images entry={entry} />}
      </article>
    </Boundary>
  );
}

const LABELS: Readonly<Partial<Record<string, string>>> = {
  prompt: "Prompt",
  answer: "Answer",
  thinking: "Thinking",
  call: "Tool call",
  compaction: "Summary",
  unknown: "Unknown entry",
};

interface BodyProps {
  readonly entry: Entry;
  readonly isOpen: boolean;
  toggle(): void;
}

function Body({ entry, isOpen, toggle }: BodyProps) {
  const skill = entry.skill;
  if (skill && entry.kind !== "call") {
    // The hint says how it begins; a person turns that around.
    const isShown = skill.collapse?.default_collapsed === false ? !isOpen : isOpen;
    return (
      <>
        <FoldLine mark="" isOpen={isShown} toggle={toggle} end={lineCount(entry)} class="skill">
          {skillLabel(skill)}
        </FoldLine>
        {isShown && <Plain entry={entry} isOpen toggle={toggle} />}
      </>
    );
  }
  return <Plain entry={entry} isOpen={isOpen} toggle={toggle} />;
}

function Plain({ entry, isOpen, toggle }: BodyProps) {
  switch (entry.kind) {
    case "prompt":
      return <Prompt entry={entry} />;
    case "answer":
      return (
        <WholeText entry={entry} body={entry.body}>
          {(text) => <MarkdownText text={text} />}
        </WholeText>
      );
    case "thinking":
      return (
        <>
          <FoldLine mark="∴" isOpen={isOpen} toggle={toggle}>
            <b>thinking</b> <span class="what">{entry.body.text.slice(0, 160)}</span>
          </FoldLine>
          {isOpen && (
            <div class="inside thought">
              <WholeText entry={entry} body={entry.body}>
                {(text) => <MarkdownText text={text} />}
              </WholeText>
            </div>
          )}
        </>
      );
    case "call":
      return <CallRow entry={entry} isOpen={isOpen} toggle={toggle} />;
    case "compaction":
      return <Compaction entry={entry} isOpen={isOpen} toggle={toggle} />;
    default:
      return (
        <>
          <FoldLine mark="?" isOpen={isOpen} toggle={toggle}>
            <b>{entry.kind === "unknown" ? entry.what : "unknown"}</b>{" "}
            <span class="what">
              {entry.kind === "unknown" ? entry.body.text.slice(0, 160) : ""}
            </span>
          </FoldLine>
          {isOpen && (
            <div class="inside">
              <RawText entryKey={entry.key} />
            </div>
          )}
        </>
      );
  }
}

function Prompt({ entry }: { entry: Extract<Entry, { kind: "prompt" }> }) {
  const number = useContext(Session).promptNumber(entry);
  if (entry.interrupts && !entry.body.text) {
    return (
      <div class="when">
        {[entry.at && clock(entry.at), "✗ stopped by you"].filter(Boolean).join(" · ")}
      </div>
    );
  }
  const facts = [
    entry.at && clock(entry.at),
    number === undefined ? "prompt" : `prompt ${number}`,
    entry.interrupts && "said in between",
  ];
  return (
    <>
      <div class="when">{facts.filter(Boolean).join(" · ")}</div>
      <WholeText entry={entry} body={entry.body} mostLines={14}>
        {(text) => <div class="words">{withoutAnsi(text)}</div>}
      </WholeText>
    </>
  );
}

function Compaction({ entry, isOpen, toggle }: BodyProps) {
  const body = entry.kind === "compaction" ? entry.body : undefined;
  return (
    <>
      <div class="fold-rule">
        {body ? (
          <button type="button" class="bare small" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? "▾" : "▸"} What came before is summed up here
          </button>
        ) : (
          <span class="small faint">What came before is summed up here</span>
        )}
      </div>
      {isOpen && body && (
        <WholeText entry={entry} body={body}>
          {(text) => <MarkdownText text={text} />}
        </WholeText>
      )}
    </>
  );
}

function lineCount(entry: Entry): string {
  if (!("body" in entry) || !entry.body) return "";
  return many(entry.body.text.split("\n").length, "line");
}

/** The pictures of an entry, small; each opens as it is. */
function Images({ entry }: { entry: Entry }) {
  const { place } = useContext(Session);
  return (
    <div class="images">
      {entry.images?.map((image, n) => {
        const src = addressOf("api/image", { ...place, key: entry.key, n });
        return (
          <a key={src} href={src} target="_blank" rel="noreferrer" title={bytes(image.bytes)}>
            <img src={src} loading="lazy" alt={`${n + 1} of this entry, ${image.mime}`} />
          </a>
        );
      })}
    </div>
  );
}
