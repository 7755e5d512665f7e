import { useRef, useState } from "preact/hooks";
import type { Said, Say, SessionCard } from "../../src/view/api.ts";
import { useKeys } from "../app/keys.ts";
import { attempt, tell } from "../app/notices.tsx";
import { post } from "../data/http.ts";
import { many } from "../parts/format.ts";

const WHEN: Readonly<Record<Said["when"], string>> = {
  "next step": "It sees it at its next step.",
  "when it stops": "It sees it when it stops.",
  cannot: "This agent cannot be told anything from here.",
};

/** A word to a session that runs in somebody's terminal. */
export function Composer({ card }: { card: SessionCard }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { agent, session } = card;
  useKeys({ "session.say": () => field.current?.focus() });
  if (card.can.say === "cannot") return null;
  const send = async () => {
    if (!text.trim() || isBusy) return;
    setBusy(true);
    const said = await attempt(() => post<Said>("api/say", { agent, session, text } satisfies Say));
    setBusy(false);
    if (!said) return;
    setText("");
    tell(WHEN[said.when]);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div>
        <textarea
          ref={field}
          rows={Math.min(8, text.split("\n").length)}
          value={text}
          placeholder={`Say something to ${card.agentType}…`}
          aria-label={`Say something to ${card.agentType}`}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
        <span class="small dim hint">
          {card.unheard > 0 ? `${many(card.unheard, "message")} not heard yet` : WHEN[card.can.say]}
        </span>
        <button type="submit" disabled={!text.trim() || isBusy}>
          Say
        </button>
      </div>
    </form>
  );
}
