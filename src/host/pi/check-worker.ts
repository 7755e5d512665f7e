import { checkInThread } from "../../extensions/index.ts";
import { piModules } from "./pi-modules.ts";

void checkInThread(piModules);
