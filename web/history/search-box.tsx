import { useEffect, useRef, useState } from "preact/hooks";
import { takeTyped } from "../app/keys.ts";
import { AGENT_TYPES } from "../data/agent-types.ts";
import { address, setQuery } from "../data/route.ts";

/** Typing pauses this long before a search begins. */
const PAUSE = 250;

const ROLES = [
  ["", "any kind"],
  ["prompt", "prompts"],
  ["answer", "answers"],
  ["thinking", "thinking"],
  ["call", "tool calls"],
  ["stop", "stops"],
] as const;

const AGENTS = [["", "any agent"], ...Object.entries(AGENT_TYPES)] as const;

/** Words to look for in everything agents said and did, and what narrows it down. */
export function SearchBox() {
  const { query } = address.value;
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(query.q ?? "");
  useEffect(() => {
    if (text === (query.q ?? "")) return;
    const timer = setTimeout(() => setQuery({ q: text }), PAUSE);
    return () => clearTimeout(timer);
  }, [text, query.q]);
  useEffect(() => {
    if (query.focus !== "search") return;
    field.current?.focus();
    const typed = takeTyped();
    if (typed !== "") setText((before) => before + typed);
    setQuery({ focus: undefined });
  }, [query.focus]);
  return (
    <search class="search">
      <input
        ref={field}
        type="search"
        class="big"
        value={text}
        placeholder="Search everything your agents said and did"
        aria-label="Search"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") setQuery({ q: text }, true);
        }}
      />
      <div class="row filters">
        <Choose name="agent" label="Agent" options={AGENTS} />
        <Choose name="role" label="What it is" options={ROLES} />
        <Field name="project" label="Project" />
        <Field name="file" label="File" />
        <Field name="since" label="Since" type="date" />
        <Check name="stopped" value="1" label="stopped" />
        <Check name="in" value="all" label="tool output, too" />
      </div>
    </search>
  );
}

function Choose(props: {
  name: string;
  label: string;
  options: readonly (readonly [value: string, label: string])[];
}) {
  return (
    <select
      aria-label={props.label}
      value={address.value.query[props.name] ?? ""}
      onChange={(event) => setQuery({ [props.name]: event.currentTarget.value }, true)}
    >
      {props.options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

function Field({ name, label, type }: { name: string; label: string; type?: "date" }) {
  const field = {
    class: "narrow",
    placeholder: label,
    "aria-label": label,
    title: label,
    value: address.value.query[name] ?? "",
    onChange: (event: { currentTarget: { value: string } }) =>
      setQuery({ [name]: event.currentTarget.value }, true),
  };
  if (type !== "date") return <input type="text" {...field} />;
  return (
    <label class="check">
      {label.toLowerCase()}
      <input type="date" {...field} />
    </label>
  );
}

function Check({ name, value, label }: { name: string; value: string; label: string }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={address.value.query[name] === value}
        onChange={(event) => setQuery({ [name]: event.currentTarget.checked ? value : "" }, true)}
      />
      {label}
    </label>
  );
}
