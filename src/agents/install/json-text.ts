import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** JSON as people write it: with comments, their own indentation, commas after the last item. */
export interface JsonText {
  readonly text: string;
  /** Undefined: there is nothing in it but white space and comments. */
  readonly root: Node | undefined;
}

/** What keeps a text from being read. */
export interface Mistake {
  readonly what: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

interface Strictness {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
}

const LENIENT: Strictness = { comments: true, trailingCommas: true };

export function parseJsonText(text: string): JsonText | Mistake {
  if (skipTrivia(text, 0) === text.length) return { text, root: undefined };
  const { root, mistake } = parseWith(text, LENIENT);
  return mistake ?? { text, root };
}

/** The first thing in a text that a reader of this strictness would stumble over. */
export function mistakeIn(text: string, allowed: Strictness): Mistake | undefined {
  return parseWith(text, allowed).mistake;
}

function parseWith(text: string, allowed: Strictness): { root?: Node; mistake?: Mistake } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, {
      allowTrailingComma: allowed.trailingCommas,
      disallowComments: !allowed.comments,
    });
    const [first] = errors;
    if (first) return { mistake: { what: wordsFor(first), ...positionOf(text, first.offset) } };
    return root ? { root } : {};
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return { mistake: { what: "it is nested too deeply", line: 1, column: 1 } };
  }
}

/** "PropertyNameExpected" as a person would say it. */
function wordsFor({ error }: ParseError): string {
  const words = printParseErrorCode(error).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  return words.toLowerCase();
}

export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** The next place that is neither white space nor a comment. */
export function skipTrivia(text: string, from: number): number {
  const trivia = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  return from + (trivia.exec(text)?.[0].length ?? 0);
}

export const endOf = (node: Node) => node.offset + node.length;

/** The value of a key; the last one, as every reader takes it, if the key is there twice. */
export function valueAt(object: Node | undefined, key: string): Node | undefined {
  if (object?.type !== "object") return undefined;
  const property = object.children?.findLast(({ children }) => children?.[0]?.value === key);
  return property?.children?.[1];
}

/** Keys and values of an object. */
export function entriesOf(object: Node | undefined): [key: string, value: Node][] {
  if (object?.type !== "object") return [];
  return (object.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key && value ? [[String(key.value), value] as [string, Node]] : [];
  });
}

export function itemsOf(list: Node | undefined): Node[] {
  return list?.type === "array" ? (list.children ?? []) : [];
}
