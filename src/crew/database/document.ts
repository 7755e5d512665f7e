import { type Row, text } from "./crew-database.ts";

/** What this program stored as one document. It is read as the type it was written as. */
export function document<T>(row: Row): T {
  const value: T = JSON.parse(text(row, "data"));
  return value;
}
