// A worker of the pool for maps alone: public/api/mapworker.js.

import { Core } from "../public/api/core.js";
import { MAP_TASKS, serve } from "./serve.js";

serve(Core, MAP_TASKS);
