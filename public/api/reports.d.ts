// Written by tools/tables from the structs of package jobs: what fit and evaluate report.

/** A Report says how a model was fitted. */
export interface Report {
  readonly task: string;
  readonly loss: string;
  readonly alpha: number;
  /** how alpha was chosen */
  readonly rule: string;
  /** effective parameters */
  readonly df: number;
  readonly clipped: number;
  /** cells that the preparation cut */
  readonly cut?: number;
  readonly warnings: ReadonlyArray<string>;
  readonly method: string;
  readonly degree: number;
  readonly nFeatures: number;
  readonly nComponents: number;
  /** texts, numbers, true or false */
  readonly classes?: ReadonlyArray<string | number | boolean>;
  /** rows of each class */
  readonly counts?: ReadonlyArray<number>;
  readonly heldOut?: HeldOut;
  /** of the linear model on the rows themselves */
  readonly linear?: LinearReport;
  /** of a fit in passes */
  readonly solver?: SolverReport;
  /** of kept rows; where the fit is the shell's */
  readonly crossFitted?: CrossFitted;
  /** of the table */
  readonly columns?: ReadonlyArray<ColumnReport>;
  /** what a model keeps of rows that are taken away */
  readonly stays?: ReadonlyArray<string>;
}

/** ClassScores are how well classes are predicted. */
export interface ClassScores {
  /** rows whose label the model does not know */
  readonly unknown: number;
  readonly accuracy: Interval;
  /** null without probabilities */
  readonly logLoss: number | null;
  /** share of the rows of the commonest class */
  readonly commonest: number | null;
  /** texts, numbers, true or false */
  readonly classes: ReadonlyArray<string | number | boolean>;
  /** true classes as rows */
  readonly confusion: ReadonlyArray<ReadonlyArray<number>>;
  readonly recall: ReadonlyArray<number | null>;
  readonly precision: ReadonlyArray<number | null>;
  /** from 0 to 2 */
  readonly brier?: number | null;
  /** expected calibration error */
  readonly ece?: number | null;
  /** about what perfect probabilities have with so many rows */
  readonly eceByChance?: number | null;
  /** AUC has for each class how often one of its rows has more probability of the class than one of another class. */
  readonly auc?: ReadonlyArray<number | null>;
  /** bins of the largest probability that have rows */
  readonly calibration?: ReadonlyArray<CalibrationBin>;
  /** Thresholds has for each class from which probability on it is best said, where F1 is the goal. */
  readonly thresholds?: ReadonlyArray<F1Threshold>;
}

/** TargetScores are how well numbers are predicted. */
export interface TargetScores {
  readonly r2: Interval;
  readonly rmse: Interval;
  readonly mae: Interval;
  /** of targets less predictions */
  readonly residuals: ReadonlyArray<Quantile>;
}

/** HeldOut is how well rows are predicted that were held out. Accuracy is missing where only sums of the rows are
 * known, and so is R2 for a loss that does not fit scores to targets. */
export interface HeldOut {
  readonly accuracy?: number;
  /** of the accuracy, 95 % */
  readonly interval?: Interval;
  readonly r2: number | null;
  readonly rows: number;
}

/** A LinearReport is about the linear model beside. */
export interface LinearReport {
  readonly alpha: number;
  readonly df: number;
  readonly heldOut?: HeldOut;
}

/** A SolverReport says how far a fit in passes converged. */
export interface SolverReport {
  readonly converged: boolean;
  readonly gradient: number;
  readonly iterations: number;
}

/** CrossFitted is how well rows are predicted that a learner keeps, each by a model of other rows. The search for a map
 * may have seen them. */
export interface CrossFitted {
  readonly rows: number;
  /** rows whose label the model does not know */
  readonly unknown?: number;
  readonly accuracy?: Interval;
  /** null without probabilities */
  readonly logLoss?: number | null;
  /** share of the rows of the commonest class */
  readonly commonest?: number | null;
  /** texts, numbers, true or false */
  readonly classes?: ReadonlyArray<string | number | boolean>;
  /** true classes as rows */
  readonly confusion?: ReadonlyArray<ReadonlyArray<number>>;
  readonly recall?: ReadonlyArray<number | null>;
  readonly precision?: ReadonlyArray<number | null>;
  /** from 0 to 2 */
  readonly brier?: number | null;
  /** expected calibration error */
  readonly ece?: number | null;
  /** about what perfect probabilities have with so many rows */
  readonly eceByChance?: number | null;
  /** AUC has for each class how often one of its rows has more probability of the class than one of another class. */
  readonly auc?: ReadonlyArray<number | null>;
  /** bins of the largest probability that have rows */
  readonly calibration?: ReadonlyArray<CalibrationBin>;
  /** Thresholds has for each class from which probability on it is best said, where F1 is the goal. */
  readonly thresholds?: ReadonlyArray<F1Threshold>;
  readonly r2?: Interval;
  readonly rmse?: Interval;
  readonly mae?: Interval;
  /** of targets less predictions */
  readonly residuals?: ReadonlyArray<Quantile>;
}

/** A ColumnReport says what becomes of a column of a table. */
export interface ColumnReport {
  readonly name: string;
  readonly role: string;
  /** that it has in a row; 0: it is not used */
  readonly coordinates: number;
  /** largest one that the search gave its coordinates, 0.02 to 1; else null */
  readonly weight: number | null;
}

/** An Interval is a metrics.Interval as JSON. Numbers that are not known are null. */
export interface Interval {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** A CalibrationBin has rows whose largest probability is about the same. */
export interface CalibrationBin {
  readonly rows: number;
  /** mean of the largest probabilities */
  readonly sure: number;
  /** share of the rows whose class is the most probable one */
  readonly right: number;
  /** Interval is the 95 % interval of Right. */
  readonly interval: Interval;
}

/** An F1Threshold is the probability of a class from which on F1 is largest if the row is said to be of the class. */
export interface F1Threshold {
  readonly probability: number;
  readonly f1: number | null;
}

/** A Quantile of residuals: this share of them is at most the value. */
export interface Quantile {
  readonly share: number;
  readonly value: number;
}
