/**
 * Commands of Seam with which a person decides, by their first words: an agent of a crew answers no
 * question, lands nothing, allows itself no more money and starts no crews.
 */
const PEOPLES = [
  /^crew (run|cancel|resume|retry|answer|budget|land|clean|worker)\b/,
  /^inbox (answer|dismiss)\b/,
  /^ext (add|remove|update)\b/,
  /^daemon (stop|uninstall)\b/,
  /^doctor\b.* --fix\b/,
  /^(trust|enable|disable|rules|hold|say|interrupt|rewind|forget|clean|sync|login|logout|view)\b/,
];

/** Whether the words behind `seam` make a command that only people may use. */
export function isPeoplesCommand(words: readonly string[]): boolean {
  const text = words.filter((word) => word !== "").join(" ");
  return PEOPLES.some((pattern) => pattern.test(text));
}
