import type { CrewRun } from "../../src/view/api-crews.ts";
import { many } from "../parts/format.ts";

interface Props {
  readonly messages: CrewRun["messages"];
  /** Only what this task said or heard. */
  readonly of: string | undefined;
}

/** What the members of a crew and people said to each other. */
export function Messages({ messages, of }: Props) {
  const shown = messages.filter(({ from, to }) => of === undefined || from === of || to === of);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Messages">
      <h3 class="day">{many(shown.length, "message")}</h3>
      <ul class="messages">
        {shown.map(({ id, from, to, text, deliveredAt }) => (
          <li key={id}>
            <span class="dim">
              {from} → {to}
              {deliveredAt === undefined && to !== "user" && (
                <span class="warning"> not heard yet</span>
              )}
            </span>{" "}
            <span class="message-text">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
