/** What agents ask a provider besides for an answer of the model. */
const ANSWERS: readonly (readonly [RegExp, unknown])[] = [
  [/\/messages\/count_tokens$/, { input_tokens: 100 }],
  [/:countTokens$/, { totalTokens: 100 }],
  [/\/models$/, { object: "list", data: [], models: [] }],
];

export function sideAnswer(path: string): unknown {
  return ANSWERS.find(([pattern]) => pattern.test(path))?.[1];
}
