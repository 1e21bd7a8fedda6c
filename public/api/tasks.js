// Tasks: what the blocks of a job (job.js) are, in this thread and in workers. Each task has
//
//   rows                             how much there is to do, in rows or another unit
//   maps                             the maps that it needs
//   cost                             { msPerRow, measured }, which the job keeps up to date
//   take(start, left, size)          the rows of the next block
//   leastMs(lanes)                   what the least block takes
//   compute(core, start, rows, job)  does a block in this thread; may return a promise
//   bytes(start, rows)               { input, output }: the buffers that a worker needs for a block
//   write(input, start, rows)        fills the input and returns the rest of the message to the worker
//   receive(start, rows, output, result)  takes what a worker did
//   moved(error, start, rows)        the error of a block, with row numbers of the whole call
//   failure(error)                   the error to throw
//   changed()                        the error if an array of the call was changed meanwhile
//   doing(start, rows)               what a block does, for errors
//   result()
//   end()                            is called when the job has ended, if it is there
//   isLong                           whether a block takes a worker for long
//   done(start, share)               if blocks are long, how much of all is done when `share` of that block is
//   spares(start, error)             whether the call goes on without a block that failed, if it is there
//   isHeld, collect(output)          if workers keep what comes of blocks, takes it from one of them

import { wholeLanes } from "./denserows.js";
import { changedError, moved } from "./errors.js";
import { withLargeValue } from "./rows.js";

/** Rows of a source become rows of features in `out`. */
export class TransformTask {
  constructor(map, source, out) {
    Object.assign(this, { map, maps: [map], source, out, rows: source.rows, cost: map });
  }

  take(start, left, { lanes, ms, bytes, share = 1 }) {
    const { cost, map, source } = this;
    const whole = (cost.measured ? ms : ms / 4) / cost.msPerRow;
    const most = Math.min(whole, Math.max(left * share, whole / 5), bytes / (8 * map.nComponents));
    return source.take(start, Math.min(left, wholeLanes(most, lanes)), bytes / 2, lanes);
  }

  leastMs(lanes) {
    return this.cost.msPerRow * lanes;
  }

  compute(core, start, rows) {
    core.transform(this.map, [this.source], this.out, { start, end: start + rows });
  }

  bytes(start, rows) {
    return { input: this.source.byteLength(start, rows), output: 4 * rows * this.map.nComponents };
  }

  write(input, start, rows) {
    const { map, source } = this;
    source.write(input, 0, start, rows);
    return { task: "transform", map: map.id, rows, nnz: source.sparse ? source.nnz(start, rows) : 0,
      sparse: source.sparse };
  }

  receive(start, rows, output) {
    const { nComponents } = this.map;
    this.out.set(new Float32Array(output, 0, rows * nComponents), start * nComponents);
  }

  moved(error, start) {
    if (error.rowsDone !== undefined) error.rowsDone += start;
    return error.row === undefined ? error : moved(error, { row: error.row + start });
  }

  failure(error) {
    return withLargeValue(error, [this.source]);
  }

  changed() {
    return this.out.length === this.rows * this.map.nComponents ? null : changedError("out", this.out);
  }

  doing(start, rows) {
    return `transformed rows ${start} to ${start + rows - 1}`;
  }

  result() {
    return this.out;
  }
}
