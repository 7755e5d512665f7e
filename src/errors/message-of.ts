const LONGEST = 4_000;

/**
 * The message of whatever was thrown: extensions throw strings, undefined and worse, also things
 * that throw again when they are looked at.
 */
export function messageOf(thrown: unknown): string {
  try {
    const text = textOf(thrown);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
  } catch {
    return "something that cannot be shown was thrown";
  }
}

function textOf(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (thrown instanceof Error) {
    const message: unknown = thrown.message;
    return typeof message === "string" && message !== "" ? message : String(thrown.name);
  }
  return JSON.stringify(thrown) ?? String(thrown);
}
