// Written by tools/tables from the structs of package jobs: what the page and its worker exchange.

/** A FitRequest asks for a model of rows with labels. */
export interface FitRequest {
  /** what is not typed is guessed */
  reading: Reading;
  columns: Columns;
  /** of all columns, instead of Columns */
  plan?: TablePlan;
  /** classify or regress; else the labels say it */
  task?: string;
  /** squared (default), squared-hinge or logistic */
  loss?: string;
  map: MapParams;
  /** the weight of the penalty for loss squared; 0: chosen */
  alpha?: number;
  /** AlphaRange is what alpha is chosen from, times the squared lengths of all rows of features. */
  alphaRange?: [number, number];
  /** the weight of errors for the other losses; 0: chosen */
  C?: number;
  /** 0, 1 or 5 parts held out; default 5, 1 (classify, no search) */
  folds?: number;
  /** all labels that may occur; default all that the rows have */
  classes?: Array<string>;
  /** the largest length of a row; else a first pass finds it */
  radius?: number;
  /** of the numbers for regress; else a first pass finds it */
  targetRange?: [number, number];
  /** sums, instead of files of rows */
  from?: Array<Named>;
  /** sums of another part, whose spec is taken */
  like?: Named;
  /** the first pass alone, for the spec in the sums */
  withoutRows?: boolean;
  /** only the sums are wanted */
  withoutFit?: boolean;
  /** Search is auto (default), off, or names of candidates with commas between them. Off takes the map that was usual
   * before there was a search: polynomials of degree 3 on rows of length 1. */
  search?: string;
  /** Mergeable keeps a search from linear models of many columns that are fitted in passes over the rows, whose parts
   * do not merge. */
  mergeable?: boolean;
}

/** A FitReply is a model, and how it was fitted. */
export interface FitReply {
  rows: number;
  /** rows that were left out */
  unused: number;
  /** what was guessed, dropped or rounded */
  notes: Array<Note>;
  task?: string;
  loss?: string;
  alpha?: number;
  /** how alpha was chosen */
  rule?: string;
  /** effective parameters */
  df?: number;
  clipped?: number;
  /** cells that the preparation cut */
  cut?: number;
  warnings?: Array<string>;
  method?: string;
  degree?: number;
  nFeatures?: number;
  nComponents?: number;
  /** texts, numbers, true or false */
  classes?: Array<string | number | boolean>;
  /** rows of each class */
  counts?: Array<number>;
  heldOut?: HeldOut;
  /** of the linear model on the rows themselves */
  linear?: LinearReport;
  /** of a fit in passes */
  solver?: SolverReport;
  /** of kept rows; where the fit is the shell's */
  crossFitted?: CrossFitted;
  /** of the table */
  columns?: Array<ColumnReport>;
  /** what a model keeps of rows that are taken away */
  stays?: Array<string>;
  /** of a search */
  candidates?: Candidates;
}

/** A PredictRequest asks for what a model predicts for rows. */
export interface PredictRequest {
  /** what is not typed is guessed */
  reading: Reading;
  columns: Columns;
  /** of all columns, instead of Columns */
  plan?: TablePlan;
  model: Named;
  to: Target;
  /** write the score of each class, too */
  scores?: boolean;
  /** write the probability of each class, too */
  probabilities?: boolean;
  /** level of an interval or a set that is written, too, such as 0.9 */
  interval?: number;
  /** "balanced" finds rare classes more often */
  classWeight?: string;
  /** Threshold says CLASS=P: a row is of the class if its probability is at least P, else of the likeliest other one.
   * */
  threshold?: string;
}

/** A PredictReply says what was written. Rows that cannot be used hold their places. Score compares the predictions
 * with the labels, if the files have them: the accuracy or R², with its 95 % interval. */
export interface PredictReply {
  rows: number;
  /** rows that were left out */
  unused: number;
  /** what was guessed, dropped or rounded */
  notes: Array<Note>;
  task: string;
  /** rows with a label to compare with */
  labelled: number;
  score: Interval;
  /** the rows so far were written */
  stopped?: boolean;
}

/** An EvaluateRequest asks how well a model predicts the labels of rows. */
export interface EvaluateRequest {
  /** what is not typed is guessed */
  reading: Reading;
  columns: Columns;
  /** of all columns, instead of Columns */
  plan?: TablePlan;
  model: Named;
  /** what each column is worth, too */
  importance?: boolean;
}

/** An EvaluateReply has the metrics of classes or of numbers. */
export interface EvaluateReply {
  rows: number;
  /** rows that were left out */
  unused: number;
  /** what was guessed, dropped or rounded */
  notes: Array<Note>;
  task: string;
  /** rows whose label the model does not know */
  unknown?: number;
  accuracy?: Interval;
  /** null without probabilities */
  logLoss?: number | null;
  /** share of the rows of the commonest class */
  commonest?: number | null;
  /** texts, numbers, true or false */
  classes?: Array<string | number | boolean>;
  /** true classes as rows */
  confusion?: Array<Array<number>>;
  recall?: Array<number | null>;
  precision?: Array<number | null>;
  /** from 0 to 2 */
  brier?: number | null;
  /** expected calibration error */
  ece?: number | null;
  /** about what perfect probabilities have with so many rows */
  eceByChance?: number | null;
  /** AUC has for each class how often one of its rows has more probability of the class than one of another class. */
  auc?: Array<number | null>;
  /** bins of the largest probability that have rows */
  calibration?: Array<CalibrationBin>;
  /** Thresholds has for each class from which probability on it is best said, where F1 is the goal. */
  thresholds?: Array<F1Threshold>;
  r2?: Interval;
  rmse?: Interval;
  mae?: Interval;
  /** of targets less predictions */
  residuals?: Array<Quantile>;
  /** the most important column first */
  importance?: Array<ColumnImportance>;
}

/** An EmbedRequest asks for the features of rows. */
export interface EmbedRequest {
  /** what is not typed is guessed */
  reading: Reading;
  columns: Columns;
  /** of all columns, instead of Columns */
  plan?: TablePlan;
  map: MapParams;
  /** instead of Map and columns */
  model?: Named;
  to: Target;
  /** row numbers, labels and kept columns alone, beside a format without cells */
  cells?: Target;
  /** Only writes something else than features, as CSV or JSON Lines: "cells" as Cells does, "unused" the rows that are
   * left out, with place, what and remedy. */
  only?: string;
  /** goes on after so many rows, with outputs that have these */
  from?: Written;
}

/** An EmbedReply says what was written. */
export interface EmbedReply {
  rows: number;
  /** rows that were left out */
  unused: number;
  /** what was guessed, dropped or rounded */
  notes: Array<Note>;
  nFeatures: number;
  nComponents: number;
  /** the rows so far were written */
  stopped?: boolean;
}

/** A CompareRequest asks whether two sets of rows come from the same distribution: of two files under the map of a
 * model, or of two files of sums. */
export interface CompareRequest {
  /** what is not typed is guessed */
  reading: Reading;
  columns: Columns;
  /** of all columns, instead of Columns */
  plan?: TablePlan;
  model?: Named;
  sums?: Array<Named>;
}

/** A CompareReply is the result of the test. */
export interface CompareReply {
  rows: [number, number];
  unused: number;
  notes: Array<Note>;
  mmd2: number;
  stdError: number;
  biased: number;
  pValue: number;
}

/** A PlanRequest asks for the map and the number of components for an error, for rows or without them. */
export interface PlanRequest {
  /** what is not typed is guessed */
  reading: Reading;
  columns: Columns;
  /** of all columns, instead of Columns */
  plan?: TablePlan;
  /** so many rows are looked at */
  first: number;
}

/** A PlanReply has an answer for each method. */
export interface PlanReply {
  rows: number;
  /** rows that were left out */
  unused: number;
  /** what was guessed, dropped or rounded */
  notes: Array<Note>;
  nFeatures: number;
  answers: Array<PlanAnswer>;
}

/** A MergeRequest asks for the sums of several parts together. */
export interface MergeRequest {
  parts: Array<Named>;
  /** whose rows are in Parts, and are taken away */
  less?: Array<Named>;
}

/** An ExportRequest asks for a model file as ONNX. */
export interface ExportRequest {
  model: Named;
}

/** A CurveRequest asks for a model for each of several numbers of components, and for a linear one. Each is tried on
 * rows held out. Small sets of rows are kept for the next request of the Session, and so are points of a request that
 * differs in Sizes alone. */
export interface CurveRequest {
  /** what is not typed is guessed */
  reading: Reading;
  columns: Columns;
  /** of all columns, instead of Columns */
  plan?: TablePlan;
  /** identifies the rows */
  rows: number;
  /** classify or regress; else the labels say it */
  task?: string;
  /** without NComponents */
  map: MapParams;
  /** numbers of components; the first is fitted first */
  sizes: Array<number>;
  /** the seed that deals the rows held out */
  deal: number;
}

/** A CurveHead is what is known of the rows of a curve. */
export interface CurveHead {
  task: string;
  /** the labels could be predicted as numbers */
  canBeNumbers: boolean;
  all: number;
  train: number;
  /** of HeldOf rows held out, so many are kept */
  held: number;
  heldOf: number;
  nFeatures: number;
  /** all rows are kept */
  isKept: boolean;
  /** rows are divided by their length */
  unit: boolean;
  /** columns of texts that all rows showed to say nothing */
  unused: Array<string>;
  notes: Array<Note>;
}

/** A Point is a model of a curve on the rows held out: the accuracy or R² with its 95 % interval. D 0 is the linear
 * model. */
export interface Point {
  D: number;
  score?: number;
  low?: number;
  high?: number;
  alpha: number;
  ms: number;
  clipped: number;
  /** that the model was fitted to */
  rows: number;
  /** no more rows are coming */
  isFinal: boolean;
  problem?: string;
}

/** A CurveReply ends a curve. All else was told before. */
export interface CurveReply {
  stopped: boolean;
  ms: number;
}

/** A BandRequest asks for the points of the curve again under other seeds of the map. */
export interface BandRequest {
  seeds: number;
}

/** An ExactReply is how well the exact kernel predicts, fitted to some of the rows. */
export interface ExactReply {
  value: number | null;
  low: number | null;
  high: number | null;
  /** that it was fitted to, of the Of rows to learn from */
  rows: number;
  of: number;
  alpha: number;
  ms: number;
}

/** A DetailReply is what a model of the curve predicts for the rows held out: of classes the confusion matrix, of
 * numbers at most 2,000 rows with both numbers. */
export interface DetailReply {
  /** rows whose label the model does not know */
  unknown?: number;
  accuracy?: Interval;
  /** null without probabilities */
  logLoss?: number | null;
  /** share of the rows of the commonest class */
  commonest?: number | null;
  /** texts, numbers, true or false */
  classes?: Array<string | number | boolean>;
  /** true classes as rows */
  confusion?: Array<Array<number>>;
  recall?: Array<number | null>;
  precision?: Array<number | null>;
  /** from 0 to 2 */
  brier?: number | null;
  /** expected calibration error */
  ece?: number | null;
  /** about what perfect probabilities have with so many rows */
  eceByChance?: number | null;
  /** AUC has for each class how often one of its rows has more probability of the class than one of another class. */
  auc?: Array<number | null>;
  /** bins of the largest probability that have rows */
  calibration?: Array<CalibrationBin>;
  /** Thresholds has for each class from which probability on it is best said, where F1 is the goal. */
  thresholds?: Array<F1Threshold>;
  r2?: Interval;
  rmse?: Interval;
  mae?: Interval;
  /** of targets less predictions */
  residuals?: Array<Quantile>;
  /** indices among the rows held out */
  rows?: Array<number>;
  truth?: Array<number>;
  predicted?: Array<number>;
}

/** A BehindRequest asks for the rows held out behind a cell of the confusion matrix, or for one row. */
export interface BehindRequest {
  D: number;
  /** indices of classes */
  truth: number;
  predicted: number;
  from: number;
  most: number;
  /** instead of a cell: its index among the rows held out */
  row?: number;
}

/** A BehindReply has the rows behind a cell, and how many there are in all. */
export interface BehindReply {
  total: number;
  rows: Array<BehindRow>;
  /** of a row; at most 1,024 of its values are sent */
  width: number;
}

/** A MapReply places rows held out by the two principal components of their features (subspace.Place). */
export interface MapReply {
  D: number;
  /** two coordinates of each row */
  xy: Array<number>;
  /** of the variance of these rows, for each coordinate */
  share: Array<number>;
  /** indices among the rows held out */
  rows: Array<number>;
  /** rows held out */
  of: number;
  /** the index of the class, or the number */
  truth: Array<number>;
  /** by the model: as Truth */
  predicted: Array<number>;
}

/** A CheckReply says how far a model of the curve can be trusted, by the rows held out: of classes with probabilities
 * as a model file of these rows has them, and what each column is worth. */
export interface CheckReply {
  D: number;
  /** rows whose label the model does not know */
  unknown?: number;
  accuracy?: Interval;
  /** null without probabilities */
  logLoss?: number | null;
  /** share of the rows of the commonest class */
  commonest?: number | null;
  /** texts, numbers, true or false */
  classes?: Array<string | number | boolean>;
  /** true classes as rows */
  confusion?: Array<Array<number>>;
  recall?: Array<number | null>;
  precision?: Array<number | null>;
  /** from 0 to 2 */
  brier?: number | null;
  /** expected calibration error */
  ece?: number | null;
  /** about what perfect probabilities have with so many rows */
  eceByChance?: number | null;
  /** AUC has for each class how often one of its rows has more probability of the class than one of another class. */
  auc?: Array<number | null>;
  /** bins of the largest probability that have rows */
  calibration?: Array<CalibrationBin>;
  /** Thresholds has for each class from which probability on it is best said, where F1 is the goal. */
  thresholds?: Array<F1Threshold>;
  r2?: Interval;
  rmse?: Interval;
  mae?: Interval;
  /** of targets less predictions */
  residuals?: Array<Quantile>;
  /** the most important column first */
  importance?: Array<ColumnImportance>;
  importanceRows?: number;
  /** NoProbabilities and NoImportance say why there are none. */
  noProbabilities?: string;
  noImportance?: string;
  ms: number;
}

/** A ReleaseRequest asks for a differentially private release of the features of a file's rows (docs/privacy.md). Its
 * settings are typed or public: none may depend on the rows. What would depend on them, and have no noise, is refused.
 * */
export interface ReleaseRequest {
  /** what is not typed is guessed */
  reading: Reading;
  columns: Columns;
  /** of all columns, instead of Columns */
  plan?: TablePlan;
  map: MapParams;
  /** instead of Map and, if it says what columns become, of columns */
  model?: Named;
  to: Target;
  release: ReleaseOptions;
  /** Job is a release that was begun before, and goes on. The ledger of the file charges a job once. */
  job?: string;
  /** goes on after so many rows, with an output that has these */
  from?: Written;
  /** the hash of the file that a release goes on with */
  content?: string;
  /** of the rows before */
  seen?: Seen;
  /** WithoutRows asks for the model file alone. */
  withoutRows?: boolean;
}

/** A ReleaseReply says what was released. */
export interface ReleaseReply {
  release: Released;
  seen: Seen;
  /** rows of the output */
  written: number;
  stopped?: boolean;
  /** Ledger is what the file's releases have cost. It is absent if this call released nothing. */
  ledger?: LedgerReply;
}

/** A Beginning is what is known of a release before its first row. */
export interface Beginning {
  /** the name of the file without its endings */
  stem: string;
  /** the hash of the file */
  content: string;
  release: Released;
}

/** A PrivateFitRequest asks for a model of released sums (docs/privacy.md, "Private models"), and for the model without
 * noise beside it. All of it is typed or public, and none may depend on the rows. Rows have length 1. */
export interface PrivateFitRequest {
  /** what is not typed is guessed */
  reading: Reading;
  columns: Columns;
  /** of all columns, instead of Columns */
  plan?: TablePlan;
  /** of number columns, which they scale */
  ranges?: Array<NumberRange>;
  map: MapParams;
  task: string;
  /** all labels that count, as they stand in cells */
  classes?: Array<string>;
  targetRange?: [number, number];
  epsilon: number;
  delta: number;
  /** of a file's first release: of all its releases together */
  budget?: Guarantee;
  /** names the release in the ledger */
  job: string;
}

/** A PrivateFitReply is a private model. Its scores carry no noise: they are for the owner of the file alone. */
export interface PrivateFitReply {
  /** of the release */
  rows: number;
  /** rows held out, on which both models are tried */
  held: number;
  /** of all rows: their label or target is not among the public ones */
  odd: number;
  /** of all rows: their cells do not fit the columns */
  unusable: number;
  /** of all rows: their target is cut to the public range */
  cut: number;
  /** of the noise */
  sigma: number;
  /** accuracy, or R²; null without rows held out */
  noisy: Interval | null;
  /** of the model without noise */
  plain: Interval | null;
  ledger: LedgerReply | null;
}

/** A LedgerRequest asks what the releases of a file have cost so far. */
export interface LedgerRequest {
  /** of a new ledger, if there is none */
  budget?: Guarantee;
  /** a saved ledger, whose releases are added: each is counted once */
  load?: string;
  /** forget the ledger */
  reset?: boolean;
}

/** A LedgerReply is a ledger. */
export interface LedgerReply {
  epsilon: number;
  delta: number;
  /** ε at the δ of the budget */
  spent: number;
  /** ε that one more release may have */
  left: number;
  releases: Array<Charge>;
  /** the text to be saved */
  json?: string;
  /** more is spent than the budget, and what to do */
  over?: string;
  /** what it means that the ledger is forgotten */
  said?: string;
}

/** Progress says how far a job is. */
export interface Progress {
  /** what the job does, as "learning" or "finding the longest row" */
  phase: string;
  /** of this phase so far; 0 where it counts none */
  rows: number;
  /** the share of this phase, 0 to 1; -1 where it is not known */
  done: number;
  /** the job waits for Resume */
  paused?: boolean;
}

export interface Reading {
  format?: string;
  compression?: string;
  encoding?: string;
  delimiter?: string;
  quote?: string;
  decimal?: string;
  thousands?: string;
  header?: boolean;
  dates?: string;
  base?: number;
  keys?: Array<Key>;
  lists?: number;
  skip?: number;
  comment?: string;
  rownames?: boolean;
  sheet?: string;
}

/** Columns say what the columns of a table become, as far as that is typed. A column is given by its name, or its
 * number from 1; a text may also hold several names, with commas between them. */
export interface Columns {
  /** columns by their role: number, category, date, words … */
  roles?: Record<string, Array<string>>;
  /** only these become coordinates */
  use?: Array<string>;
  noLabel?: boolean;
  /** none, standard or min-max; else the layout suggests one */
  scaling?: string;
  /** drop (default), refuse, mean, zero or constant */
  missing?: string;
  /** the constant */
  fill?: number;
  /** divide each row by its length; default true for fit */
  unitNorm?: boolean;
  /** hash categories into so many coordinates */
  hashed?: number;
  /** coordinates for words */
  width?: number;
  sparseWidth?: number;
  /** of dates */
  parts?: Array<string>;
  /** the shortest and the longest n-grams of words */
  wordNgrams?: [number, number];
  /** of characters */
  charNgrams?: [number, number];
}

/** A TablePlan says what each column of a table becomes: a dataset.Preprocessing before it has learned anything. */
export interface TablePlan {
  reading?: Array<number>;
  columns: Array<ColumnPlan>;
  sparse: boolean;
  sparseWidth?: number;
  unitNorm: boolean;
  /** with UnitNorm: rows of fewer than 4 numbers keep their length */
  keepFew?: boolean;
}

/** MapParams are the parameters of a feature map, without the number of features, which the columns say. */
export interface MapParams {
  /** default tensor-sketch */
  method?: string;
  nComponents?: number;
  degree?: number;
  gamma?: number;
  coef0?: number;
  normalize?: string;
  output?: string;
  repeats?: number;
  seed?: number | bigint | string;
  /** of single methods */
  methodParams?: Record<string, string | number | boolean>;
}

/** A Named is a small file by its name, such as a model. */
export interface Named {
  /** "": an error about it is as the Mapper says it */
  name: string;
}

export interface Note {
  code: string;
  column?: string;
  count?: number;
  what: string;
  remedy?: string;
}

/** HeldOut is how well rows are predicted that were held out. Accuracy is missing where only sums of the rows are
 * known, and so is R2 for a loss that does not fit scores to targets. */
export interface HeldOut {
  accuracy?: number;
  /** of the accuracy, 95 % */
  interval?: Interval;
  r2: number | null;
  rows: number;
}

/** A LinearReport is about the linear model beside. */
export interface LinearReport {
  alpha: number;
  df: number;
  heldOut?: HeldOut;
}

/** A SolverReport says how far a fit in passes converged. */
export interface SolverReport {
  converged: boolean;
  gradient: number;
  iterations: number;
}

/** CrossFitted is how well rows are predicted that a learner keeps, each by a model of other rows. The search for a map
 * may have seen them. */
export interface CrossFitted {
  rows: number;
  /** rows whose label the model does not know */
  unknown?: number;
  accuracy?: Interval;
  /** null without probabilities */
  logLoss?: number | null;
  /** share of the rows of the commonest class */
  commonest?: number | null;
  /** texts, numbers, true or false */
  classes?: Array<string | number | boolean>;
  /** true classes as rows */
  confusion?: Array<Array<number>>;
  recall?: Array<number | null>;
  precision?: Array<number | null>;
  /** from 0 to 2 */
  brier?: number | null;
  /** expected calibration error */
  ece?: number | null;
  /** about what perfect probabilities have with so many rows */
  eceByChance?: number | null;
  /** AUC has for each class how often one of its rows has more probability of the class than one of another class. */
  auc?: Array<number | null>;
  /** bins of the largest probability that have rows */
  calibration?: Array<CalibrationBin>;
  /** Thresholds has for each class from which probability on it is best said, where F1 is the goal. */
  thresholds?: Array<F1Threshold>;
  r2?: Interval;
  rmse?: Interval;
  mae?: Interval;
  /** of targets less predictions */
  residuals?: Array<Quantile>;
}

/** A ColumnReport says what becomes of a column of a table. */
export interface ColumnReport {
  name: string;
  role: string;
  /** that it has in a row; 0: it is not used */
  coordinates: number;
  /** largest one that the search gave its coordinates, 0.02 to 1; else null */
  weight: number | null;
}

/** Candidates is learn.Candidates as JSON. Numbers that are not known are null. */
export interface Candidates {
  /** of the sample that they were fitted to */
  rows: number;
  folds: number;
  components: number;
  chosen: string;
  linearIsAsGood: boolean;
  seedsTried: number;
  /** of rows that no choice has seen; null with few rows */
  heldOut: HeldOut | null;
  all: Array<Candidate>;
  notes: Array<string>;
}

/** A Target is where a job writes rows, and in which format. */
export interface Target {
  format: string;
  /** write the line or number of each row first */
  rowNumbers?: boolean;
}

/** An Interval is a metrics.Interval as JSON. Numbers that are not known are null. */
export interface Interval {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** A CalibrationBin has rows whose largest probability is about the same. */
export interface CalibrationBin {
  rows: number;
  /** mean of the largest probabilities */
  sure: number;
  /** share of the rows whose class is the most probable one */
  right: number;
  /** Interval is the 95 % interval of Right. */
  interval: Interval;
}

/** An F1Threshold is the probability of a class from which on F1 is largest if the row is said to be of the class. */
export interface F1Threshold {
  probability: number;
  f1: number | null;
}

/** A Quantile of residuals: this share of them is at most the value. */
export interface Quantile {
  share: number;
  value: number;
}

/** A ColumnImportance says what a column is worth to a model (metrics.Importance). */
export interface ColumnImportance {
  name: string;
  /** of the accuracy, or of R² */
  drop: number;
  stdError: number;
}

/** Written is how far an output is: another job goes on from here. */
export interface Written {
  rows: number;
  /** dataset.Encoder.State, in base 64 */
  encoder?: Array<number>;
}

/** A PlanAnswer is a sketch.PlanAnswer as JSON, with the names of the JavaScript API. */
export interface PlanAnswer {
  method: string;
  nComponents: number;
  /** null if it is not known */
  predictedSigma: number | null;
  kind: string;
  microsecondsPerRow: number;
  reached: boolean;
}

/** A BehindRow is a row held out. */
export interface BehindRow {
  place: number;
  label: string;
  predicted: string;
  scores: Array<number>;
  values: Array<number>;
}

/** ReleaseOptions are the settings of a release. */
export interface ReleaseOptions {
  /** rows, each with noise of its own, or mean, one of all rows */
  kind: string;
  epsilon: number;
  delta: number;
  /** longer rows are scaled down to it */
  radius?: number;
  /** Count is the number of rows, which is public. A mean needs it; else the rows are counted first, and must be as
   * many. */
  rows?: number;
  /** of a file's first release: of all its releases together */
  budget?: Guarantee;
}

/** Seen are counts that only the owner of the file may see: they have no noise. */
export interface Seen {
  /** rows longer than the radius */
  clipped: number;
  /** rows that the map cannot take, and that count as zeros */
  zeroed: number;
  /** rows whose cells do not fit the columns, and that count as zeros */
  unusable: number;
}

/** Released is what a receiver needs to know of a release, beside the model file. It reveals nothing more of the rows.
 * */
export interface Released {
  /** rows, each with noise of its own, or mean, one of all rows */
  kind: string;
  epsilon: number;
  delta: number;
  /** longer rows are scaled down to it */
  radius?: number;
  /** Count is the number of rows, which is public. A mean needs it; else the rows are counted first, and must be as
   * many. */
  rows?: number;
  /** of a file's first release: of all its releases together */
  budget?: Guarantee;
  nComponents: number;
  /** C, to which features are clipped */
  bound: number;
  /** the standard deviation of the noise in a number */
  sigma: number;
}

/** A NumberRange is the public range of a column of numbers. */
export interface NumberRange {
  name: string;
  low: number;
  high: number;
}

/** A Guarantee is what a private release promises, or all releases of the same rows together: their budget. */
export interface Guarantee {
  epsilon: number;
  delta: number;
}

/** A Charge is a release in a ledger. */
export interface Charge {
  /** rows, mean or moments */
  kind: string;
  rows: number;
  nComponents: number;
  epsilon: number;
  delta: number;
  /** of the length of a row of features */
  bound: number;
  /** of the noise in a number */
  sigma: number;
}

export interface Key {
  name: string;
  length: number;
}

/** A ColumnPlan says what a column becomes. */
export interface ColumnPlan {
  name: string;
  role: string;
  /** somebody said what becomes of it */
  chosen?: boolean;
  /** the unit beside the numbers */
  measure?: string;
  missing?: string;
  fill?: number;
  scaling?: string;
  /** given, so not learned; Scale and Values too */
  center?: number;
  scale?: number;
  hashed?: number;
  values?: Array<string>;
  parts?: Array<string>;
  words?: [number, number];
  chars?: [number, number];
  width?: number;
}

/** A Candidate is a kind of model that was tried. Errors are squared ones on held-out rows over the variance. */
export interface Candidate {
  name: string;
  error: number | null;
  stdError: number | null;
  accuracy?: number;
  /** the chosen one, with its standard error */
  behind: number;
  behindStdError: number;
  alpha: number;
  gamma?: number;
  /** of column weights */
  rounds?: number;
  skipped?: string;
}
