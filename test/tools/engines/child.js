// Child processes of the API tests are all Node's, with its flags.

import { Skip } from "./nodetest.js";

export function execFileSync() {
  throw new Skip("it starts Node");
}
