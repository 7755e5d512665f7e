export { OPEN_ROUTE, type Opened, type OpenWish, viewService } from "./view-service.ts";
