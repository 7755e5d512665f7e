import { useState } from "preact/hooks";
import type {
  RewindDo,
  RewindDone,
  RewindPreview,
  RewindWish,
} from "../../src/view/api-history.ts";
import { Link } from "../app/link.tsx";
import { attempt } from "../app/notices.tsx";
import { clock } from "../data/clock.ts";
import { post } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { viewAddress } from "../data/route.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { baseName, bytes, many, moment } from "../parts/format.ts";
import { Sentence, Shown } from "../parts/states.tsx";

/** Going back: what would change is shown first, and only a click does it. */
export function RewindPage({ wish }: { wish: RewindWish }) {
  const loaded = useLoad(`rewind ${JSON.stringify(wish)}`, () =>
    post<RewindPreview>("api/rewind/preview", wish),
  );
  const [done, setDone] = useState<RewindDone | undefined>(undefined);
  if (done) return <Done done={done} repository={wish.repository} wasUndo={wish.undo === true} />;
  return (
    <Shown loaded={loaded}>
      {(preview) => (
        <Preview
          preview={preview}
          wish={wish}
          done={setDone}
          again={() => {
            loaded.again();
          }}
        />
      )}
    </Shown>
  );
}

interface PreviewProps {
  readonly preview: RewindPreview;
  readonly wish: RewindWish;
  done(done: RewindDone): void;
  again(): void;
}

const KINDS = { added: "+", changed: "~", deleted: "−" } as const;

function Preview({ preview, wish, done, again }: PreviewProps) {
  const [isAgreed, setAgreed] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { to, changes, left, others, notes } = preview;
  const hasOthers = others.length > 0;
  const rewind = async () => {
    setBusy(true);
    const answer = await attempt(() =>
      post<RewindDone>("api/rewind/do", {
        token: preview.token,
        ...(hasOthers ? { others: isAgreed } : {}),
      } satisfies RewindDo),
    );
    setBusy(false);
    if (answer) done(answer);
    // A token is good for one attempt, so the next one needs a new preview.
    else again();
  };
  return (
    <>
      <header class="head">
        <h2>{wish.undo ? "Undo the last rewind" : title(to)}</h2>
        <p class="dim">
          {[baseName(wish.repository), to.at && moment(to.at, clock.value)]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {to.prompt && <p class="quote">{to.prompt}</p>}
      </header>
      {changes.length === 0 ? (
        <p>Nothing would change: the files are as they were then.</p>
      ) : (
        <>
          <p>
            <b>{many(changes.length, "file")}</b> would change. The state before is kept, so that
            you can undo this.
          </p>
          <ul class="changes">
            {changes.slice(0, 200).map(({ kind, path }) => (
              <li key={path}>
                <span aria-hidden="true">{KINDS[kind]}</span>
                <code>{path}</code> <span class="faint">{kind}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <Warnings preview={preview} />
      {hasOthers && (
        <label class="check">
          <input
            type="checkbox"
            checked={isAgreed}
            onChange={(event) => setAgreed(event.currentTarget.checked)}
          />
          I have seen whose work goes, too
        </label>
      )}
      <div class="row">
        <button
          type="button"
          class="go"
          disabled={isBusy || changes.length === 0 || (hasOthers && !isAgreed)}
          onClick={() => void rewind()}
        >
          {wish.undo ? "Undo" : "Rewind"} {many(changes.length, "file")}
        </button>
        <Link class="button" to={viewAddress("history", { repository: wish.repository })}>
          Leave it as it is
        </Link>
      </div>
      {left.length > 0 && (
        <details class="left-alone">
          <summary>{many(left.length, "file stays as it is", "files stay as they are")}</summary>
          <ul class="changes">
            {left.map(({ path, why }) => (
              <li key={path}>
                <code>{path}</code> <span class="faint">{why}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {notes.map((note) => (
        <p class="note" key={note}>
          <Sentence text={note} />
        </p>
      ))}
      {preview.diff && <DiffView text={preview.diff} />}
      {preview.diffOf !== undefined && (
        <p class="note">The diff has {bytes(preview.diffOf)}; this is its beginning.</p>
      )}
    </>
  );
}

function Warnings({ preview: { others, atWork } }: { preview: RewindPreview }) {
  return (
    <>
      {atWork.length > 0 && (
        <p class="warning">
          At work here right now, and not told of it: {atWork.join(", ")}. Hold them first, or wait.
        </p>
      )}
      {others.map(({ who, files }) => (
        <p class="warning" key={who}>
          Work of {who} goes, too: {files.slice(0, 12).join(", ")}
          {files.length > 12 ? ` and ${files.length - 12} more` : ""}.
        </p>
      ))}
    </>
  );
}

function Done(props: { done: RewindDone; repository: string; wasUndo: boolean }) {
  const { done, repository, wasUndo } = props;
  return (
    <div class="state" role="status">
      <h2>
        ✓ {wasUndo ? "Undone" : "Rewound"}: {many(done.changed, "file")} changed
      </h2>
      {done.saved && (
        <p>
          The state before is kept in <code>{done.saved}</code>.
        </p>
      )}
      <div class="row">
        {!wasUndo && (
          <Link class="button" to={viewAddress("history", { repository, undo: "1" })}>
            Undo…
          </Link>
        )}
        <Link class="button" to={viewAddress("history", { repository })}>
          Back to the log
        </Link>
      </div>
    </div>
  );
}

function title(to: RewindPreview["to"]): string {
  if (to.kind === "turn") return `Back to the ${to.moment ?? "start"} of this turn`;
  if (to.kind === "saved") return "Back to the state before the last rewind";
  return `Back to ${to.kind} ${to.name.slice(0, 10)}`;
}
