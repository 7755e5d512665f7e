import type { Node } from "jsonc-parser";
import { endOf, skipTrivia } from "./json-text.ts";

/**
 * Changes to JSON text that leave every other byte as it is: comments, indentation, line ends.
 * Each takes the text and a node of it, and gives the new text.
 */

/** Adds an item at the end of a list, or a property at the end of an object. */
export function insertLast(text: string, container: Node, value: unknown, key?: string): string {
  const last = container.children?.at(-1);
  const inside = container.offset + 1;
  const closing = endOf(container) - 1;
  const empty = text.slice(inside, closing).trim() === "";
  if (last && !text.slice(inside, closing).includes("\n")) {
    return insertBehind(text, last, ` ${inline(value, key)}`, false);
  }
  if (empty && isOneLine(text)) return splice(text, inside, closing, inline(value, key));
  const eol = eolOf(text);
  const outer = indentAt(text, container.offset);
  const inner = last && startsLine(text, last.offset) ? indentAt(text, last.offset) : undefined;
  const indent = inner ?? outer + unitOf(text);
  const body = eol + indent + block(text, value, indent, key);
  if (last) return insertBehind(text, last, body, true);
  const comments = text.slice(inside, closing).trimEnd();
  return splice(text, inside + comments.length, closing, body + eol + outer);
}

/** A text that holds nothing yet gets its first value. */
export function insertRoot(text: string, value: unknown): string {
  const eol = eolOf(text);
  const gap = text === "" || text.endsWith("\n") ? "" : eol;
  return text + gap + block(text, value, "") + eol;
}

export function replaceValue(text: string, node: Node, value: unknown): string {
  const isBlock = text.slice(node.offset, endOf(node)).includes("\n");
  const now = isBlock ? block(text, value, indentAt(text, node.offset)) : inline(value);
  return splice(text, node.offset, endOf(node), now);
}

/** Takes an item or a property out, with its comma and its line. Comments around it stay. */
export function removeItem(text: string, container: Node, item: Node): string {
  const comma = skipTrivia(text, endOf(item));
  const hasComma = text[comma] === ",";
  const end = hasComma ? comma + 1 : endOf(item);
  const space = /(\r?\n)?[ \t]*$/.exec(text.slice(0, item.offset));
  const startsItsLine = space?.[1] !== undefined;
  const endsItsLine = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  // With anything else on the line, the line stays: it may end a comment before it.
  const wholeLine = startsItsLine && endsItsLine;
  const takesSpace = wholeLine || (!startsItsLine && !hasComma);
  const start = item.offset - (takesSpace ? (space?.[0].length ?? 0) : 0);
  if (hasComma) {
    const spaceBehind = wholeLine ? 0 : (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
    return splice(text, start, end + spaceBehind, text.slice(endOf(item), comma));
  }
  const without = splice(text, start, end, "");
  const siblings = container.children ?? [];
  const before = siblings[siblings.indexOf(item) - 1];
  if (!before) return without;
  const separator = skipTrivia(text, endOf(before));
  return splice(without, separator, separator + 1, "");
}

/** Puts something behind the last item; a comment on the item's line stays with the item. */
function insertBehind(text: string, last: Node, piece: string, newLine: boolean): string {
  const next = skipTrivia(text, endOf(last));
  const hasComma = text[next] === ",";
  const behind = hasComma ? next + 1 : endOf(last);
  const comment = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/(?=[ \t]*\r?\n))/.exec(
    text.slice(behind),
  );
  const at = newLine && comment ? behind + comment[0].length : behind;
  const withPiece = splice(text, at, at, hasComma ? `${piece},` : piece);
  return hasComma ? withPiece : splice(withPiece, endOf(last), endOf(last), ",");
}

function splice(text: string, from: number, to: number, piece: string): string {
  return text.slice(0, from) + piece + text.slice(to);
}

function inline(value: unknown, key?: string): string {
  const text = JSON.stringify(value);
  return key === undefined ? text : `${JSON.stringify(key)}: ${text}`;
}

function block(text: string, value: unknown, indent: string, key?: string): string {
  const lines = JSON.stringify(value, null, unitOf(text)).split("\n");
  const body = lines.join(eolOf(text) + indent);
  return key === undefined ? body : `${JSON.stringify(key)}: ${body}`;
}

/** A list that is written on one line stays on one line, unless the file was empty. */
function isOneLine(text: string): boolean {
  const all = text.trim();
  return !all.includes("\n") && !/^\{\s*\}$/.test(all);
}

const eolOf = (text: string) => (/\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n");

/** What one step of indentation is in this text. */
const unitOf = (text: string) => /\n([ \t]+)["{[]/.exec(text)?.[1] ?? "  ";

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

const startsLine = (text: string, offset: number) => /\n[ \t]*$/.test(text.slice(0, offset));
