// The app of the tools that get `load` alone.

import { load } from "tensorsketch";
import { runCore, tell } from "./core.js";

tell(runCore(load));
