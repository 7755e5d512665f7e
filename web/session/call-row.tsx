import { useContext } from "preact/hooks";
import type { Call, Entry, SkillMark } from "../../src/view/api.ts";
import { clock } from "../data/clock.ts";
import { Counts } from "../diff/diff-view.tsx";
import { ago, duration, many, pathFrom } from "../parts/format.ts";
import { inSight } from "../parts/in-sight.ts";
import { CallDetail } from "./call-detail.tsx";
import { FoldLine } from "./fold-line.tsx";
import { Session } from "./session-context.ts";
import { Subagent } from "./subagent.tsx";
import { TodoList } from "./todo-list.tsx";

type CallEntry = Extract<Entry, { kind: "call" }>;

const MARKS: Readonly<Record<Call["state"], string>> = {
  running: "◌",
  done: "✓",
  background: "◌",
  failed: "✗",
  stopped: "✗",
};

const WORDS: Partial<Record<Call["state"], string>> = { background: "in the background" };

interface Props {
  readonly entry: CallEntry;
  readonly isOpen: boolean;
  toggle(): void;
}

/** A tool call: one line, and everything about it when it is open. */
export function CallRow({ entry, isOpen, toggle }: Props) {
  const { call, skill } = entry;
  const { subagent } = call;
  const { folder } = useContext(Session);
  if (skill || call.tool === "skill") {
    const isShown = skill?.collapse?.default_collapsed === false ? !isOpen : isOpen;
    return (
      <>
        <FoldLine mark="" isOpen={isShown} toggle={toggle} end={outputLines(call)} class="skill">
          {skillLabel(skill ?? { name: call.about ?? "" })}
        </FoldLine>
        {isShown && <CallDetail entry={entry} />}
      </>
    );
  }
  return (
    <>
      <FoldLine
        mark={MARKS[call.state] ?? "?"}
        isOpen={isOpen}
        toggle={toggle}
        class={`call-line ${call.state}`}
        end={<End entry={entry} />}
      >
        <b>{subagent ? `agent${subagent.type ? ` ${subagent.type}` : ""}` : call.tool}</b>{" "}
        <span class="what">{inSight(subagent?.task ?? pathFrom(folder, call.about ?? ""))}</span>
      </FoldLine>
      {call.stop && (
        <p class="why">
          {call.stop.by && <b>{call.stop.by}: </b>}
          {call.stop.reason}
          {call.stop.asked && (
            <span class="dim"> (it was to be asked in the agent's own dialog)</span>
          )}
        </p>
      )}
      {call.allowed && (
        <p class="allowed">
          {call.allowed.who === "a rule" ? "allowed by a rule" : `allowed in ${call.allowed.who}`}
          {call.allowed.by && `; ${call.allowed.by} had it asked`}
        </p>
      )}
      {call.todos && !isOpen && <TodoList todos={call.todos} />}
      {isOpen &&
        (subagent?.id ? <Subagent entry={entry} id={subagent.id} /> : <CallDetail entry={entry} />)}
    </>
  );
}

function End({ entry }: { entry: CallEntry }) {
  const { call } = entry;
  const { waitingSince } = useContext(Session);
  if (call.state === "running") return <Running since={entry.at} waitingSince={waitingSince} />;
  return (
    <>
      <Counts added={call.added} removed={call.removed} />
      {call.state !== "done" && <span>{WORDS[call.state] ?? call.state}</span>}
      {call.state !== "stopped" && call.state !== "background" && call.ms !== undefined && (
        <span>{duration(call.ms)}</span>
      )}
    </>
  );
}

function Running(props: { since: string | undefined; waitingSince: string | undefined }) {
  const { since, waitingSince } = props;
  if (waitingSince) return <b class="waits">waits {ago(clock.value - Date.parse(waitingSince))}</b>;
  if (!since) return <>running</>;
  const elapsed = Math.max(0, clock.value - Date.parse(since));
  return <>running {elapsed < 24 * 3_600_000 ? duration(Math.floor(elapsed / 1000) * 1000) : ""}</>;
}

/** What stands in the line of a skill: the agent's own words, where it has some. */
export function skillLabel({ name, collapse }: SkillMark): string {
  return collapse?.label || `Skill: ${name}`;
}

function outputLines(call: Call): string {
  if (!call.output) return "";
  return many(call.output.text.split("\n").length, "line");
}
