const FLAGS = /^\(\?([ims]+)\)/;

/**
 * A condition as a regular expression. `^` and `$` mean lines. Flags may stand in front, as other
 * languages write them: `(?i)todo`.
 */
export function patternOf(condition: string): RegExp {
  const flags = FLAGS.exec(condition)?.[1] ?? "";
  return new RegExp(condition.replace(FLAGS, ""), [...new Set(`m${flags}`)].join(""));
}
