// Pool: the workers. Each worker has its own instance of the core and its own copy of the maps. It gets blocks of work,
// whose buffers are transferred there and back. Workers start when there is enough work for them. Until one is ready,
// this thread works itself. No isolation headers are needed, so this works on any static host.

import { drop } from "./buffers.js";
import { fromPlain, memoryError } from "./errors.js";
import { runInSlices, SLICE } from "./slices.js";
import { Thread } from "./thread.js";

const BLOCK = { ms: 10, bytes: 8 << 20 }; // target size of a block
const BLOCKS_IN_FLIGHT = 2; // per worker: one at work, one waiting, so that the worker is never idle
const LARGE_BYTES = 32 << 20; // a larger block is sent only to an idle worker
const SMALL_MS = 10; // calls with less work run in the same thread
const START_MS = 150; // work, done or to be done, from which workers pay for their start
const TRIAL_MS = 20; // work to do here before that is decided: the first blocks take longer than those to come
const LONG_MS = 50; // a block that takes longer waits for a worker that starts
const IDLE_MS = 10_000; // idle workers end after this: each holds about 8 MB and starts again quickly
const FAILED_STARTS = 3; // failed starts in a row before a call goes on without workers
const HELD_MS = 4000; // of work whose outcome a worker keeps, at most: it is done again if the worker dies
const ABORT_MS = 50; // how long a worker may go on with blocks that are no longer wanted

export class Pool {
  #core;
  #start; // the first message to a worker
  #ways; // the ways to make a worker (thread.js), the one that worked last first
  #workers = new Set();
  #jobs = []; // jobs with blocks to give out, in turn
  #all = new Set(); // jobs that are not settled
  #idle = null; // the timer that ends the workers
  #isToRest = false; // whether to end the workers without waiting for the timer
  #warming = 0; // calls of warm that wait
  #workingHere = false;
  #msLately = 0; // work done since the workers last ended for want of it
  #everReady = false; // whether any worker has ever started
  #failedStarts = 0; // since a worker was last ready or the last call

  /** `core` is the instance of this thread, for small calls and while no worker is ready. */
  constructor(core, { module, maxMemory, threads, ways, noThreadsBecause }) {
    this.#core = core;
    this.#start = { type: "start", module, maxMemory };
    this.#ways = ways;
    this.threads = threads;
    this.noThreadsBecause = threads === 0 ? noThreadsBecause ?? "threads: 0 was given" : null;
  }

  /** Starts all workers. The promise is fulfilled when each is ready or has failed to start. */
  async warm() {
    this.#warming++;
    this.#failedStarts = 0;
    this.#keepAlive();
    this.#startWorkers(this.threads);
    await Promise.all(Array.from(this.#workers, ({ settled }) => settled));
    this.#warming--;
    this.#restIfIdle();
  }

  /** Runs a job to its end, in this thread or in the workers. */
  run(job) {
    this.#all.add(job);
    job.ended = () => this.#release(job);
    if (job.msLeft < SMALL_MS) {
      const { lanes } = this.#core;
      runInSlices(this.#core, () => job.next({ lanes, ...SLICE }));
      return;
    }
    this.#jobs.push(job);
    this.#failedStarts = 0;
    this.#keepAlive();
    this.#pump();
  }

  /** Frees a map and ends the calls that use it. */
  free(map, reason) {
    for (const job of [...this.#all]) {
      if (job.task.maps.includes(map)) job.reject(reason);
    }
    for (const worker of this.#workers) {
      if (worker.maps.delete(map)) worker.thread.post({ type: "free", id: map.id });
    }
  }

  /** Ends the workers as soon as no work is left. */
  rest() {
    this.#isToRest = true;
    if (this.#all.size === 0) this.#rest();
  }

  /** Ends the workers and every job. */
  dispose(reason) {
    this.#giveUp(reason.message);
    for (const job of [...this.#all]) job.reject(reason);
    this.#endWorkers();
  }

  /** Gives out blocks. Jobs take turns, and every worker gets a first block before any gets a second. */
  #pump() {
    this.#startWorkersIfTheyPay();
    this.#workHere();
    const size = { share: 1 / (BLOCKS_IN_FLIGHT * this.threads), ...BLOCK };
    for (let depth = 0; depth < BLOCKS_IN_FLIGHT; depth++) {
      for (const worker of this.#workers) {
        while (worker.ready && worker.blocks.length === depth && !worker.busyWithLarge) {
          const block = this.#nextBlock(size);
          if (!block) return this.#collect();
          this.#send(worker, block);
        }
      }
    }
    this.#collect();
  }

  /** Asks workers for what they hold: much of a job, or some of one that has no more blocks. */
  #collect() {
    for (const { held, blocks, thread } of this.#workers) {
      for (const [job, of] of held) {
        const isWanted = of.ms >= HELD_MS || (job.isGivenOut && of.blocks.length > 0);
        const isAsked = blocks.some((block) => block.collects && block.job === job);
        const isAtWork = blocks.some((block) => block.job === job);
        if (!isWanted || isAsked || (of.ms < HELD_MS && isAtWork)) continue;
        blocks.push({ job, collects: true });
        thread.post({ type: "collect", job: job.id });
      }
    }
  }

  /** Does the work in this thread as long as no worker is ready. */
  #workHere() {
    if (this.#workingHere) return;
    this.#workingHere = true;
    runInSlices(this.#core, () => {
      const isReady = [...this.#workers].some(({ ready }) => ready);
      const isAlone = this.#workers.size === 0;
      const block = isReady ? null
        : this.#nextBlock({ ...SLICE, retries: isAlone }, (job) => isAlone || !this.#isLong(job));
      this.#workingHere = block !== null;
      return block;
    }, (ms) => {
      this.#msLately += ms;
      this.#startWorkersIfTheyPay();
    });
  }

  /** Reports whether the least block of a job would keep this thread busy for too long while a worker starts. */
  #isLong(job) {
    return job.task.isLong || job.task.leastMs(this.#core.lanes) > LONG_MS;
  }

  #nextBlock(size, mayTake = () => true) {
    for (let tries = this.#jobs.length; tries > 0; tries--) {
      const job = this.#jobs.shift();
      this.#jobs.push(job);
      const block = mayTake(job) && job.next({ lanes: this.#core.lanes, ...size });
      if (block) return block;
    }
    return null;
  }

  #send(worker, block) {
    const { job, start, rows } = block;
    const bytes = job.task.bytes(start, rows), own = job.task.ownOutput?.(rows);
    block.isOwn = own !== undefined;
    let input, output, message;
    try {
      ({ input, output } = takeBuffers(worker, bytes, own));
      message = job.task.write(input, start, rows);
    } catch (error) {
      job.fail(block, failure(error, bytes.input + bytes.output, start));
      return;
    }
    for (const map of job.task.maps) {
      if (worker.maps.has(map)) continue;
      worker.maps.add(map);
      const { id, block, fit, head, preparation, nComponents, nFeatures } = map;
      worker.thread.post({ type: "map", id, block, fit, head, preparation, nComponents, nFeatures });
    }
    worker.blocks.push(block);
    worker.busyWithLarge = job.task.isLong || bytes.input + bytes.output > LARGE_BYTES;
    if (job.task.isHeld && !worker.held.has(job)) worker.held.set(job, { blocks: [], ms: 0 });
    worker.thread.post({ type: "block", job: job.id, ...message, input, output },
      output ? [input, output] : [input]);
  }

  #receive(worker, message) {
    if (message.type === "progress") {
      const [{ job, start }] = worker.blocks;
      job.progressed(start, message.share, worker.thread, message.part);
      return;
    }
    const block = worker.blocks.shift();
    if (block.collects) this.#receiveHeld(worker, block.job, message);
    else this.#receiveBlock(worker, block, message);
    this.#watchUnwanted(worker);
    this.#pump();
  }

  #receiveBlock(worker, block, { input, output, result, ms, error }) {
    const { job, start, rows } = block;
    worker.busyWithLarge = false;
    const done = error ? error.rowsDone ?? 0 : rows;
    const failed = error ? job.task.moved(fromPlain(error), start, rows) : null;
    const written = job.receive(start, done, output, result);
    if (input.byteLength <= LARGE_BYTES) worker.inputs.push(input);
    if (!block.isOwn && output.byteLength <= LARGE_BYTES) worker.outputs.push(output);
    this.#msLately += ms;
    const held = worker.held.get(job);
    if (!failed && held) {
      held.blocks.push(block);
      held.ms += ms;
    }
    if (failed) job.fail(block, failed);
    else if (written) job.done(block, ms, held !== undefined);
  }

  #receiveHeld(worker, job, { output, error }) {
    const blocks = worker.held.get(job)?.blocks ?? [];
    if (worker.held.has(job)) worker.held.set(job, { blocks: [], ms: 0 });
    if (error) job.reject(fromPlain(error));
    else job.collected(blocks, output);
  }

  /** Starts as many workers as the present work can use, if there was or is enough of it. */
  #startWorkersIfTheyPay() {
    const ms = this.#jobs.reduce((sum, job) => sum + job.msLeft, 0);
    const isKnown = this.#msLately >= TRIAL_MS || this.#jobs.some((job) => this.#isLong(job));
    const isWorthIt = isKnown && this.#msLately + ms >= START_MS;
    if (this.#workers.size === 0 && !isWorthIt) return;
    this.#startWorkers(Math.min(this.threads, Math.ceil(ms / BLOCK.ms)));
  }

  #startWorkers(count) {
    while (this.#workers.size < count && this.#failedStarts < FAILED_STARTS) this.#addWorker();
  }

  #addWorker() {
    const worker = { ready: false, thread: null, settled: null, blocks: [], inputs: [], outputs: [], maps: new Set(),
      held: new Map(), busyWithLarge: false };
    this.#workers.add(worker);
    worker.settled = new Promise((settle) => {
      worker.ended = settle;
      worker.thread = new Thread(this.#ways, this.#start, {
        onReady: (way) => {
          if (!this.#workers.has(worker)) return;
          worker.ready = true;
          this.#everReady = true;
          this.#failedStarts = 0;
          this.#ways = [way, ...this.#ways.filter((other) => other !== way)];
          settle();
          this.#restIfIdle();
          this.#pump();
        },
        onMessage: (message) => {
          if (this.#workers.has(worker)) this.#receive(worker, message);
        },
        onEnd: (reason) => {
          if (worker.ready) this.#replace(worker, reason);
          else this.#startFailed(worker, reason);
        },
      });
    });
  }

  /**
   * Handles a worker that failed to start. If none has ever started and none is about to, there are no workers here.
   * Else the failure was an accident, and another worker is tried.
   */
  #startFailed(worker, reason) {
    if (!this.#workers.has(worker)) return;
    this.#remove(worker);
    this.#failedStarts++;
    if (!this.#everReady && this.#workers.size === 0) this.#giveUp(`no worker could be started: ${reason}`);
    this.#pump();
  }

  #giveUp(reason) {
    this.threads = 0;
    this.noThreadsBecause ??= reason;
  }

  /**
   * Ends a worker and gives its blocks to others. If it died, `reason` counts against its first block, the running one.
   */
  #replace(worker, reason) {
    if (!this.#workers.has(worker)) return;
    this.#remove(worker);
    const [first] = worker.blocks;
    for (const block of worker.blocks) {
      if (!block.collects) block.job.lost(block, block === first ? reason : undefined);
    }
    for (const [job, { blocks }] of worker.held) {
      const isFirst = first?.collects && first.job === job;
      for (const block of blocks) job.lost(block, isFirst ? reason : undefined, true);
    }
    if (this.#jobs.length > 0) this.#startWorkers(Math.min(1, this.threads)); // for the blocks that were lost
    this.#pump();
  }

  #remove(worker) {
    this.#workers.delete(worker);
    worker.thread.end();
    worker.ended();
  }

  #endWorkers() {
    clearTimeout(this.#idle);
    this.#msLately = 0;
    for (const worker of [...this.#workers]) this.#remove(worker);
  }

  #keepAlive() {
    clearTimeout(this.#idle);
    for (const { thread } of this.#workers) thread.keepAlive(true);
  }

  #restIfIdle() {
    if (this.#jobs.length === 0 && this.#warming === 0) this.#rest();
  }

  /** Called when no work is left. The workers no longer keep the process alive, and they end if this lasts. */
  #rest() {
    if (this.#isToRest) {
      this.#isToRest = false;
      this.#endWorkers();
      return;
    }
    for (const { thread } of this.#workers) thread.keepAlive(false);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#endWorkers(), IDLE_MS);
    this.#idle.unref?.();
  }

  /** Stops a settled job from giving out blocks. A worker still at one of its blocks gets ABORT_MS. */
  #release(job) {
    this.#all.delete(job);
    this.#jobs = this.#jobs.filter((other) => other !== job);
    for (const worker of this.#workers) {
      if (worker.held.delete(job)) worker.thread.post({ type: "drop", job: job.id });
      if (job.inFlight.size > 0) this.#watchUnwanted(worker);
    }
    this.#restIfIdle();
  }

  /**
   * Replaces the worker if it is still at the same unwanted block ABORT_MS after the call ended. A block that began
   * later, after others, gets the usual time of a block.
   */
  #watchUnwanted(worker) {
    const [block] = worker.blocks;
    if (!block?.job.settled) return;
    const left = block.job.settledAt + ABORT_MS - performance.now();
    const timer = setTimeout(() => {
      if (worker.blocks[0] === block) this.#replace(worker);
    }, Math.max(left, 2 * BLOCK.ms));
    timer.unref?.();
  }
}

/** Returns buffers for a block: the ones that came back last, or new ones. A worker makes an output that is null. */
function takeBuffers({ inputs, outputs }, bytes, own) {
  return { input: atLeast(inputs.pop(), bytes.input),
    output: own === undefined ? atLeast(outputs.pop(), bytes.output) : own };
}

function atLeast(buffer, bytes) {
  if (buffer?.byteLength >= bytes) return buffer;
  if (buffer) drop([buffer]);
  return new ArrayBuffer(bytes);
}

/**
 * Returns the error for a block that could not be sent, because of memory or a bad element. No row of it was done.
 */
function failure(error, bytes, start) {
  if (error instanceof RangeError) {
    return memoryError(`a block of rows needs ${bytes} bytes, more than this engine can allocate`);
  }
  error.rowsDone ??= start;
  return error;
}
