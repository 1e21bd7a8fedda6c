// Tasks: what the blocks of a job (job.js) are, in this thread and in workers. Each task has
//
//   rows                             how much there is to do, in rows or another unit
//   maps                             the maps that it needs
//   cost                             { msPerRow, measured }, which the job keeps up to date
//   take(start, left, size)          the rows of the next block
//   leastMs(lanes)                   what the least block takes
//   compute(core, start, rows, job)  does a block in this thread; may return a promise
//   bytes(start, rows)               { input, output }: the buffers that a worker needs for a block
//   ownOutput(rows)                  if the output is kept: a buffer for it, or null for a new one. Else undefined
//   write(input, start, rows)        fills the input and returns the rest of the message to the worker
//   receive(start, rows, output, result)  takes what a worker did
//   moved(error, start, rows)        the error of a block, with row numbers of the whole call
//   failure(error)                   the error to throw
//   changed()                        the error if an array of the call was changed meanwhile
//   doing(start, rows)               what a block does, for errors
//   result()
//   end()                            is called when the job has ended, if it is there; it may return a promise of the
//                                    end of what is still being written
//   isLong                           whether a block takes a worker for long
//   done(start, share, thread, part)  if blocks are long, how much of all is done when `share` of that block is; `part`
//                                    is what came of it, if anything
//   spares(start, error)             whether the call goes on without a block that failed, if it is there
//   isHeld, collect(output)          if workers keep what comes of blocks, takes it from one of them

import { wholeLanes } from "./denserows.js";
import { changedError, moved } from "./errors.js";
import { withLargeValue } from "./rows.js";
import { closeGate, gateOf } from "./shared.js";

/** The base of tasks on the rows of a source. */
export class SourceTask {
  first = 0; // the row of the source that is row 0 of the task

  /** `numbers` is how many a row makes. */
  constructor(maps, source, cost, numbers = maps[0].nComponents) {
    Object.assign(this, { maps, source, cost, numbers, rows: source.rows });
  }

  take(start, left, { lanes, ms, bytes, share = 1 }) {
    const { cost, numbers, source } = this;
    const whole = (cost.measured ? ms : ms / 4) / cost.msPerRow;
    const most = Math.min(whole, Math.max(left * share, whole / 5), bytes / (8 * numbers));
    return source.take(this.first + start, Math.min(left, wholeLanes(most, lanes)), bytes / 2, lanes);
  }

  leastMs(lanes) {
    return this.cost.msPerRow * lanes;
  }
}

/** Rows of a source become rows of features in `out`. Workers write there themselves where threads share its memory. */
export class TransformTask extends SourceTask {
  #gate; // of what workers write

  constructor(map, source, out) {
    super([map], source, map);
    Object.assign(this, { map, out });
    this.#gate = out && gateOf(out);
  }

  compute(core, start, rows) {
    start += this.first;
    core.transform(this.map, [this.source], this, { start, end: start + rows });
  }

  bytes(start, rows) {
    return { input: this.source.byteLength(this.first + start, rows),
      output: this.#gate ? 0 : 4 * rows * this.map.nComponents };
  }

  write(input, start, rows) {
    const { map, source, out } = this, row = this.first + start, gate = this.#gate, at = start * map.nComponents;
    source.write(input, 0, row, rows);
    return { task: "transform", map: map.id, rows, nnz: source.nnz(row, rows),
      sparse: source.sparse, gate, shared: gate && out.subarray(at, at + rows * map.nComponents) };
  }

  receive(start, rows, output) {
    if (!this.#gate) this.set(this.featuresOf(output, rows), (this.first + start) * this.map.nComponents);
  }

  /** Takes features for the place `at` of those of the whole source. */
  set(values, at) {
    this.out.set(values, at - this.first * this.map.nComponents);
  }

  featuresOf(output, rows) {
    return new Float32Array(output, 0, rows * this.map.nComponents);
  }

  moved(error, start) {
    start += this.first;
    if (error.rowsDone !== undefined) error.rowsDone += start;
    return error.row === undefined ? error : moved(error, { row: error.row + start });
  }

  failure(error) {
    return withLargeValue(error, [this.source]);
  }

  changed() {
    const { out } = this;
    return out && out.length !== this.rows * this.map.nComponents ? changedError("out", out) : null;
  }

  doing(start, rows) {
    start += this.first;
    return `transformed rows ${start} to ${start + rows - 1}`;
  }

  result() {
    return this.out;
  }

  end() {
    return this.#gate && closeGate(this.#gate);
  }
}
