import { useState } from "preact/hooks";
import type { Doctor, ProjectRef } from "../../src/view/api-history.ts";
import { attempt, tell } from "../app/notices.tsx";
import { get, post } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { many } from "../parts/format.ts";
import { Sentence, Shown } from "../parts/states.tsx";

/** What `seam doctor` finds, and a button for what it can put right. */
export function DoctorPanel({ project }: { project: string | undefined }) {
  const loaded = useLoad(`doctor ${project ?? ""}`, (signal) =>
    get<Doctor>("api/doctor", { project }, signal),
  );
  return (
    <section aria-label="Problems">
      <h2 class="day">Problems</h2>
      <Shown loaded={loaded}>
        {(doctor) => <Findings doctor={doctor} project={project} again={loaded.again} />}
      </Shown>
    </section>
  );
}

const MARKS = { error: "✗", warning: "!", info: "·" } as const;

function Findings(props: { doctor: Doctor; project: string | undefined; again(): void }) {
  const { doctor, project, again } = props;
  const [isBusy, setBusy] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const findings = doctor.sections.flatMap(({ about, findings: all }) =>
    all.map((finding) => ({ about, ...finding })),
  );
  const problems = findings.filter(({ level }) => level !== "info");
  const fixable = problems.filter((finding) => finding.fixable).length;
  const fix = async () => {
    const body: ProjectRef = project === undefined ? {} : { project };
    setBusy(true);
    const fixed = await attempt(() => post<Doctor>("api/doctor/fix", body));
    setBusy(false);
    if (!fixed) return;
    tell(`${many(fixed.fixed.length, "thing was", "things were")} put right.`);
    again();
  };
  const shown = isWhole ? findings : problems;
  return (
    <>
      {problems.length === 0 && <p class="good">✓ Nothing is wrong.</p>}
      <ul class="findings">
        {shown.map(({ about, code, level, text, next }) => (
          <li key={`${about}${code}${text}`} data-level={level}>
            <span class="mark" aria-hidden="true">
              {MARKS[level]}
            </span>
            <div>
              <span class="faint">{about}: </span>
              <Sentence text={text} />
              {next && (
                <p class="dim small">
                  <Sentence text={next} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      <div class="row">
        {fixable > 0 && (
          <button type="button" class="go" disabled={isBusy} onClick={() => void fix()}>
            Put {many(fixable, "problem")} right
          </button>
        )}
        {findings.length > problems.length && (
          <button type="button" class="text small" onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Only problems" : `Show all ${many(findings.length, "finding")}`}
          </button>
        )}
      </div>
    </>
  );
}
