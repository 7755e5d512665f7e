export { isRecord } from "./is-record.ts";
