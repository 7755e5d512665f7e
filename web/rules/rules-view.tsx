import { useState } from "preact/hooks";
import type { RuleRef, Rules } from "../../src/view/api-history.ts";
import { attempt, tell } from "../app/notices.tsx";
import { Page } from "../app/page.tsx";
import { Top } from "../app/top.tsx";
import { clock } from "../data/clock.ts";
import { get, post } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { baseName, moment } from "../parts/format.ts";
import { Empty, Sentence, Shown } from "../parts/states.tsx";

/** What was answered with "always" or "never", and can be taken back. */
export function RulesView() {
  const loaded = useLoad("rules", (signal) => get<Rules>("api/rules", {}, signal));
  return (
    <main class="middle">
      <Top title="Rules" about="Answers that are given without asking you again" />
      <Page>
        <Shown loaded={loaded}>
          {({ rules }) => {
            const projects = [...new Set(rules.map(({ project }) => project))];
            if (rules.length === 0) {
              return (
                <Empty title="No rules" command="seam rules">
                  When you answer a question with “Always…”, the rule that comes from it is listed
                  here, by project. It lives in your home, never in the project. On the command
                  line:
                </Empty>
              );
            }
            return projects.map((project) => (
              <section key={project} aria-label={project}>
                <h2 class="day" title={project}>
                  {baseName(project)}
                </h2>
                <ul class="cards">
                  {rules
                    .filter((rule) => rule.project === project)
                    .map((rule) => (
                      <RuleRow key={rule.id} rule={rule} removed={loaded.again} />
                    ))}
                </ul>
              </section>
            ));
          }}
        </Shown>
      </Page>
    </main>
  );
}

function RuleRow({ rule, removed }: { rule: Rules["rules"][number]; removed(): void }) {
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const answer = await attempt(() =>
      post<Rules>("api/rules/remove", { id: rule.id } satisfies RuleRef),
    );
    setBusy(false);
    if (!answer) return;
    tell("Removed. The next time you are asked again.");
    removed();
  };
  return (
    <li class="row">
      <span>
        <Sentence text={rule.text} />
      </span>
      <span class="faint small">{rule.at && moment(rule.at, clock.value)}</span>
      <button type="button" class="push" disabled={isBusy} onClick={() => void remove()}>
        Remove
      </button>
    </li>
  );
}
