/**
 * Whether what sed is given only prints: options that change nothing, and scripts made of commands
 * that are known not to write or to run something. Everything else is not known, so it is not.
 */
export function onlyPrints(words: readonly string[]): boolean {
  let isScriptNext = false;
  let hasScript = false;
  for (const word of words) {
    if (isScriptNext) {
      if (!isHarmlessScript(word)) return false;
      isScriptNext = false;
      hasScript = true;
    } else if (/^-[nErsuz]*e$/.test(word)) isScriptNext = true;
    else if (OPTION.test(word)) continue;
    else if (word.startsWith("-") && word !== "-") return false;
    // Without -e the first word is the script; those behind it are files.
    else if (!hasScript) {
      if (!isHarmlessScript(word)) return false;
      hasScript = true;
    }
  }
  return !isScriptNext;
}

const OPTION =
  /^(-[nErsuz]+|--quiet|--silent|--regexp-extended|--separate|--unbuffered|--null-data)$/;

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:[^\\/\n]|\\.)*\/[IM]*|[+~]\d+)`;
const SUBSTITUTE = String.raw`s\/(?:[^\\/\n]|\\.)*\/(?:[^\\/\n]|\\.)*\/[gpiIM\d]*|s\|(?:[^\\|\n]|\\.)*\|(?:[^\\|\n]|\\.)*\|[gpiIM\d]*|s#(?:[^\\#\n]|\\.)*#(?:[^\\#\n]|\\.)*#[gpiIM\d]*`;
const COMMAND = String.raw`(?:[=dDgGhHnNpPx]|[lqQ]\d*|${SUBSTITUTE})`;
const STATEMENT = String.raw`\s*(?:${ADDRESS}(?:\s*,\s*${ADDRESS})?)?\s*!?\s*${COMMAND}\s*`;
const SCRIPT = new RegExp(`^${STATEMENT}(?:[;\\n]${STATEMENT})*[;\\s]*$`);

const LONGEST = 500;

function isHarmlessScript(text: string): boolean {
  return text.length <= LONGEST && SCRIPT.test(text);
}
