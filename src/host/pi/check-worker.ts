import { checkInThread } from "../../extensions/index.ts";
import { piModules } from "./pi-modules.ts";

await checkInThread(piModules);
