// node:assert/strict for a page.

import assert from "assert/";

export default assert.strict;
