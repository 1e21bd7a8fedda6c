// The base of tasks whose call does all rows or none.

import { moved } from "./errors.js";
import { withLargeValue } from "./rows.js";
import { SourceTask } from "./tasks.js";

/** Its errors do not tell of rows that are done. */
export class WholeTask extends SourceTask {
  moved(error, start) {
    delete error.rowsDone;
    return error.row === undefined ? error : moved(error, { row: error.row + start });
  }

  failure(error) {
    const failed = withLargeValue(error, [this.source]);
    delete failed.rowsDone;
    return failed;
  }

  changed() {
    return null;
  }
}
