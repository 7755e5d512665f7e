import { isRecord } from "../../values/index.ts";
import type { Json } from "./fields.ts";

/** How an agent writes down what is replaced by what, and the names it has for both. */
export type EditShape =
  /** One replacement, in two fields of the input. */
  | { readonly kind: "pair"; readonly old: string; readonly new: string }
  /** A list of replacements in one field. */
  | { readonly kind: "list"; readonly field: string; readonly old: string; readonly new: string };

interface Edit {
  oldText: string;
  newText: string;
}

interface Handling<Shape> {
  /** The replacements, and the fields they were in. Undefined: they are not there. */
  get(shape: Shape, native: Json): { edits: Json[]; taken: string[] } | undefined;
  /** The fields that say these replacements. Undefined: they cannot be said. */
  put(shape: Shape, edits: unknown): Json | undefined;
}

type Handlings = { [K in EditShape["kind"]]: Handling<EditShape> };

export const EDIT_SHAPES: Handlings = {
  pair: {
    get(shape, native) {
      const { [shape.old]: oldText, [shape.new]: newText } = native;
      if (typeof oldText !== "string" || typeof newText !== "string") return undefined;
      return { edits: [{ oldText, newText }], taken: [shape.old, shape.new] };
    },
    put(shape, edits) {
      const [only, ...more] = editsIn(edits) ?? [];
      if (!only || more.length > 0) return undefined;
      return { [shape.old]: only.oldText, [shape.new]: only.newText };
    },
  },
  list: {
    get(shape, native) {
      const list = shape.kind === "list" ? native[shape.field] : undefined;
      if (shape.kind !== "list" || !Array.isArray(list)) return undefined;
      if (!list.every((item) => isEdit(item, shape))) return undefined;
      return { edits: list.map((item) => renamed(item, shape)), taken: [shape.field] };
    },
    put(shape, edits) {
      const list = editsIn(edits);
      if (!list || shape.kind !== "list") return undefined;
      return {
        [shape.field]: list.map(({ oldText, newText, ...rest }) => ({
          ...rest,
          [shape.old]: oldText,
          [shape.new]: newText,
        })),
      };
    },
  },
};

function isEdit(item: unknown, shape: EditShape): item is Json {
  return (
    isRecord(item) && typeof item[shape.old] === "string" && typeof item[shape.new] === "string"
  );
}

function renamed(item: Json, shape: EditShape): Json {
  const { [shape.old]: oldText, [shape.new]: newText, ...rest } = item;
  return { ...rest, oldText, newText };
}

function editsIn(value: unknown): Edit[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const all = value.filter(
    (item): item is Edit & Json =>
      isRecord(item) && typeof item.oldText === "string" && typeof item.newText === "string",
  );
  return all.length === value.length ? all : undefined;
}
