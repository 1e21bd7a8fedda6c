// The errors of reading files of rows: about a file, and of a program that has ended.

export const MIB = 2 ** 20;

/** An error about a file. `message` is the sentence; `problem` has its parts { file, where, what, remedy }. */
export class DatasetError extends Error {
  constructor({ message, problem, columnar = false, ended = false, ...more }, cause) {
    super(message, cause && { cause });
    this.name = "DatasetError";
    Object.assign(this, more); // code and argument of a job's error
    this.problem = problem;
    this.columnar = columnar; // the file needs loadDataset({ columnar: true })
    this.ended = ended; // the program that reads has ended with this call
  }
}

export const disposed = () => new DatasetError({ message: "this Dataset was disposed: call loadDataset for another" });

/** Returns the error of the call in which the program ended. `printed` is what Go wrote: it is the cause's message. */
export function endOf(printed, file, maxMemory, error) {
  const isMemory = /out of memory|cannot allocate/.test(printed) || error instanceof RangeError;
  const what = isMemory ? `${file === undefined ? "the call" : "reading it"} takes more than the ` +
    `${Math.round(maxMemory / MIB)} MB of memory that it may have`
    : "the program that reads files has ended, by a fault of its own";
  const remedy = isMemory ? "cut the file into smaller ones, or give loadDataset a larger maxMemory"
    : "the next call starts it again; please report what led to this";
  const problem = file === undefined ? undefined : { file, where: "", what, remedy };
  return new DatasetError({ message: `${problem ? `${file}: ` : ""}${what}; ${remedy}.`, problem, ended: true },
    new Error(printed.split("\ngoroutine ")[0].trim() || error.message));
}
