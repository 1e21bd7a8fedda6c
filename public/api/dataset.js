// tensorsketch/dataset: what reads files of rows, and the jobs of the command line. dataset.d.ts has the documentation.

export { DatasetError, isColumnar, loadDataset } from "./datasetmodule.js";
export { evaluate, fit, predict } from "./filejobs.js";
