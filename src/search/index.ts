export type { Hit, SearchAnswer, StatsAnswer, StatsRow } from "./answer.ts";
export { forgetInIndex, indexSize, rebuildIndex, refreshIndex, search, stats } from "./client.ts";
export { SearchRequest, STATS_BY, StatsRequest } from "./request.ts";
export { type Freshness, startSearch } from "./service.ts";
export { callCost } from "./stats/prices.ts";
export { ROLES } from "./store/roles.ts";
