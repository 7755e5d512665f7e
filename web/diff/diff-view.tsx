import { useMemo, useState } from "preact/hooks";
import { address, setQuery } from "../data/route.ts";
import { many } from "../parts/format.ts";
import { inSight } from "../parts/in-sight.ts";
import { Scrollable } from "../parts/scrollable.tsx";
import { type LaidLine, split, unified } from "./layout.ts";
import { type DiffFile, type DiffHunk, parseDiff } from "./parse-diff.ts";

/** A file with more lines than this is shown when somebody asks for it. */
const MOST_LINES = 400;
/** More files than these are folded at first. */
const MOST_OPEN = 20;

/** Side by side, or in one column; the address remembers it. */
export function toggleDiffLayout(): void {
  setQuery({ diff: address.peek().query.diff === "split" ? undefined : "split" });
}

/** What a diff says, file by file. */
export function DiffView({ text }: { text: string }) {
  const files = useMemo(() => parseDiff(text), [text]);
  if (files.length === 0) return <pre class="plain">{text || "Nothing changed."}</pre>;
  return (
    <div class="diffs">
      {files.map((file, n) => (
        <FileDiff key={`${file.path}${n}`} file={file} isOpen={n < MOST_OPEN} />
      ))}
    </div>
  );
}

const CHANGES: Readonly<Record<DiffFile["change"], string>> = {
  changed: "",
  added: "new",
  deleted: "deleted",
  moved: "moved",
  binary: "binary",
};

function FileDiff({ file, isOpen }: { file: DiffFile; isOpen: boolean }) {
  const [isShown, setShown] = useState(isOpen);
  const isSplit = address.value.query.diff === "split";
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const [isWhole, setWhole] = useState(lines <= MOST_LINES);
  return (
    <section class="diff" aria-label={`Changes of ${file.path}`}>
      <header>
        <button
          type="button"
          class="fold"
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          <span aria-hidden="true">{isShown ? "▾" : "▸"}</span>
          <span class="cut">
            {file.from ? `${inSight(file.from)} → ` : ""}
            {inSight(file.path) || "changes"}
          </span>
        </button>
        {CHANGES[file.change] && <span class="faint">{CHANGES[file.change]}</span>}
        <Counts added={file.added} removed={file.deleted} />
        {file.hunks.length > 0 && isShown && (
          <button
            type="button"
            class="bare small"
            aria-pressed={isSplit}
            onClick={toggleDiffLayout}
            title="Side by side (d)"
          >
            split
          </button>
        )}
      </header>
      {isShown && (
        <Scrollable class="lines" label={`Lines of ${file.path}`}>
          {(isWhole ? file.hunks : firstLines(file.hunks)).map((hunk, n) => (
            <Hunk key={`${n}${hunk.heading}`} hunk={hunk} isSplit={isSplit} isFirst={n === 0} />
          ))}
          {!isWhole && (
            <button type="button" class="more" onClick={() => setWhole(true)}>
              Show all {many(lines, "line")}
            </button>
          )}
        </Scrollable>
      )}
    </section>
  );
}

/** Lines that were added and removed, with their signs. */
export function Counts(props: { added?: number | undefined; removed?: number | undefined }) {
  const { added = 0, removed = 0 } = props;
  if (added + removed === 0) return null;
  return (
    <span class="counts push">
      {added > 0 && <span class="plus">+{added}</span>}
      {removed > 0 && <span class="minus">−{removed}</span>}
    </span>
  );
}

function firstLines(hunks: readonly DiffHunk[]): DiffHunk[] {
  const kept: DiffHunk[] = [];
  let left = MOST_LINES;
  for (const hunk of hunks) {
    if (left <= 0) break;
    kept.push({ ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return kept;
}

function Hunk(props: { hunk: DiffHunk; isSplit: boolean; isFirst: boolean }) {
  const { hunk, isSplit, isFirst } = props;
  return (
    <>
      {!isFirst && <div class="gap">⋯ {hunk.heading}</div>}
      {isSplit ? <SplitLines hunk={hunk} /> : <UnifiedLines hunk={hunk} />}
    </>
  );
}

const SIGNS = { same: " ", add: "+", del: "−", note: " " } as const;

function UnifiedLines({ hunk }: { hunk: DiffHunk }) {
  const lines = useMemo(() => unified(hunk.lines), [hunk]);
  return (
    <table class="unified">
      <tbody>
        {lines.map((line, n) => (
          <tr key={n} class={line.kind}>
            <td class="number">{line.old}</td>
            <td class="number">{line.new}</td>
            <Line line={line} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SplitLines({ hunk }: { hunk: DiffHunk }) {
  const rows = useMemo(() => split(hunk.lines), [hunk]);
  return (
    <table class="split">
      <tbody>
        {rows.map(({ left, right }, n) => (
          <tr key={n}>
            <td class={`number ${left?.kind ?? "none"}`}>{left?.old}</td>
            <Line line={left} />
            <td class={`number ${right?.kind ?? "none"}`}>{right?.new}</td>
            <Line line={right} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Line({ line }: { line: LaidLine | undefined }) {
  if (!line) return <td class="line none" />;
  return (
    <td class={`line ${line.kind}`}>
      <span class="sign">{SIGNS[line.kind]}</span>
      {line.pieces.map((piece, n) =>
        piece.isChanged ? <mark key={n}>{inSight(piece.text)}</mark> : inSight(piece.text),
      )}
    </td>
  );
}
