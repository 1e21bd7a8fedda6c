// What a saved page that predicts has inside: tools/bundle makes public/page/onepage.js of it.

export { load } from "../public/api/tensorsketch.js";
export { loadDataset, predict } from "../public/api/dataset.js";
