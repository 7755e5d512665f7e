export type { EntriesPage, Entry } from "./api.ts";
export { OPEN_ROUTE, type Opened, type OpenWish, viewService } from "./view-service.ts";
