// The app of the tools that get `load` alone.

import { load } from "tensorsketch";
import { runBuilds, tell } from "./core.js";

tell(runBuilds(load));
