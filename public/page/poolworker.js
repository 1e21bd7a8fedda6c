// A worker of the API's pool in this page. Its requests are counted too.

import "./requests.js";
import "../api/worker.js";
