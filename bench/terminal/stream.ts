const TOKENS = 200;
const WORDS_IN_PARAGRAPH = 40;

/** The texts of an answer as it grows, a token at a time. */
export const ANSWER: readonly string[] = Array.from({ length: TOKENS }, (_, last) =>
  Array.from({ length: last + 1 }, (_, token) =>
    token % WORDS_IN_PARAGRAPH === WORDS_IN_PARAGRAPH - 1 ? "words.\n\n" : "word ",
  ).join(""),
);

export function sessionLine(number: number): string {
  return `line ${number} of a session that is long`;
}
