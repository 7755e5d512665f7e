import type { AgentCard, Loaded, LoadedExtension } from "../../src/view/api-history.ts";
import { Boundary } from "../app/boundary.tsx";
import { Page } from "../app/page.tsx";
import { Top } from "../app/top.tsx";
import { get } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { address, setQuery } from "../data/route.ts";
import { baseName, duration } from "../parts/format.ts";
import { Command, Empty, Sentence, Shown } from "../parts/states.tsx";
import { DoctorPanel } from "./doctor-panel.tsx";

/** What is loaded, from where, and what each agent lets it do. */
export function ExtensionsView() {
  const { project } = address.value.query;
  const loaded = useLoad(`extensions ${project ?? ""}`, (signal) =>
    get<Loaded>("api/extensions", { project }, signal),
  );
  const projects = loaded.value?.projects ?? [];
  return (
    <main class="middle">
      <Top title="Extensions and agents" />
      <Page>
        {projects.length > 0 && (
          <div class="row bar">
            <select
              aria-label="Project"
              value={project ?? loaded.value?.project ?? ""}
              onChange={(event) => setQuery({ project: event.currentTarget.value }, true)}
            >
              <option value="">no project: only yours</option>
              {projects.map((path) => (
                <option key={path} value={path}>
                  {baseName(path)}
                </option>
              ))}
            </select>
          </div>
        )}
        <Boundary what="The findings of seam doctor">
          <DoctorPanel project={project ?? loaded.value?.project} />
        </Boundary>
        <Shown loaded={loaded}>
          {({ extensions, agents, problems }) => (
            <>
              <h2 class="day">Extensions</h2>
              {problems.map((problem) => (
                <p class="warning" key={problem.message}>
                  {problem.message} <Sentence text={problem.next} />
                </p>
              ))}
              {extensions.length === 0 && (
                <Empty title="No extension is loaded" command="seam ext new my-gate">
                  An extension watches, gates and changes what all your agents do. Make one from a
                  template:
                </Empty>
              )}
              <ul class="cards">
                {extensions.map((extension) => (
                  <ExtensionRow key={extension.path} extension={extension} />
                ))}
              </ul>
              <h2 class="day">Agents</h2>
              <ul class="cards">
                {agents.toSorted(byUse).map((agent) => (
                  <AgentRow key={agent.name} agent={agent} />
                ))}
              </ul>
            </>
          )}
        </Shown>
      </Page>
    </main>
  );
}

function ExtensionRow({ extension }: { extension: LoadedExtension }) {
  const { name, path, scope, isTrusted, ok, loadMs, problems, limits } = extension;
  const facts = [
    scope,
    isTrusted ? "trusted" : undefined,
    loadMs !== undefined && `loaded in ${duration(loadMs)}`,
  ];
  return (
    <li>
      <div class="row">
        <span class={ok ? "good" : "bad"} aria-hidden="true">
          {ok ? "✓" : "✗"}
        </span>
        <b>{name}</b>
        {!ok && <span class="bad">not loaded</span>}
        {!isTrusted && <span class="waits">not trusted: it does not run</span>}
        <span class="faint">{facts.filter(Boolean).join(" · ")}</span>
      </div>
      <p class="path mono faint">{path}</p>
      {!isTrusted && <Command text="seam trust" />}
      <dl class="pairs">
        <Names label="listens to" names={extension.events} />
        <Names label="tools" names={extension.tools} />
        <Names label="commands" names={extension.commands} />
      </dl>
      {problems.map((problem) => (
        <p class="why" key={problem.message}>
          {problem.message} <Sentence text={problem.next} />
        </p>
      ))}
      {limits.length > 0 && (
        <details>
          <summary class="small dim">What it cannot do on some agents ({limits.length})</summary>
          <dl class="pairs">
            {limits.map(({ agent, text }) => (
              <div key={`${agent}${text}`}>
                <dt>{agent}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}

function Names({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd class="mono">{names.join(", ")}</dd>
    </div>
  );
}

/** Those that call Seam first, then those that could. */
function byUse(one: AgentCard, other: AgentCard): number {
  const rank = ({ enabled, program }: AgentCard) => (enabled.length > 0 ? 0 : program ? 1 : 2);
  return rank(one) - rank(other);
}

function saysOf({ enabled, program }: AgentCard): string {
  const missing = program === undefined ? "not found on this machine" : "";
  if (enabled.length === 0) return missing || "does not call Seam";
  return [`calls Seam, level: ${enabled.join(", ")}`, missing].filter(Boolean).join(" · ");
}

function AgentRow({ agent }: { agent: AgentCard }) {
  const { type, version, program, enabled, tested, hooks, can } = agent;
  const isEnabled = enabled.length > 0;
  return (
    <li>
      <div class="row">
        <span class={isEnabled ? "good" : "faint"} aria-hidden="true">
          {isEnabled ? "✓" : "◌"}
        </span>
        <b>{type}</b>
        {version && <span class="dim">{version}</span>}
        <span class="faint">{saysOf(agent)}</span>
      </div>
      {!isEnabled && program && <Command text={`seam enable --agent ${agent.name}`} />}
      {can.length > 0 && (
        <details>
          <summary class="small dim">What extensions can do on it ({can.length})</summary>
          <dl class="pairs">
            {can.map(({ power, text }) => (
              <div key={power}>
                <dt class="mono">{power}</dt>
                <dd>
                  <Sentence text={text} />
                </dd>
              </div>
            ))}
            {hooks.length > 0 && (
              <div>
                <dt>hooks</dt>
                <dd class="mono">{hooks.join(", ")}</dd>
              </div>
            )}
            {tested && tested.length > 0 && (
              <div>
                <dt>tested with</dt>
                <dd>{tested.join(", ")}</dd>
              </div>
            )}
            {program && (
              <div>
                <dt>program</dt>
                <dd class="mono">{program}</dd>
              </div>
            )}
          </dl>
        </details>
      )}
    </li>
  );
}
