// The part of node:test that the API tests use, for engines without it or with a different one. The tests of a file
// run one after the other.

/** Thrown by what an engine lacks: the test is skipped with this reason. */
export class Skip extends Error {}

let file; // the one that is being imported

export function before(f) {
  file.before.push(f);
}

export function test(name, options, f) {
  if (typeof options === "function") [options, f] = [{}, options];
  file.tests.push({ name, f, skip: options.skip });
}

/** Runs the tests that a module registers. `skips` are reasons by name. Yields { name, skip, failure } of each. */
export async function* run(importModule, skips) {
  file = { before: [], tests: [] };
  const { tests, before } = file;
  await importModule();
  for (const f of before) await f();
  for (const { name, f, skip = skips[name] } of tests) {
    if (skip) {
      yield { name, skip };
      continue;
    }
    const context = new Context(name);
    try {
      await f(context);
      yield { name };
    } catch (error) {
      yield error instanceof Skip ? { name, skip: error.message } : { name, failure: `${error}\n${error?.stack}` };
    } finally {
      await context.end();
    }
  }
}

class Context {
  #after = [];

  constructor(name) {
    this.name = name;
  }

  mock = {
    method: (object, name, f) => {
      const own = object[name];
      object[name] = f;
      this.after(() => { object[name] = own; });
    },
  };

  after(f) {
    this.#after.push(f);
  }

  diagnostic() {}

  async end() {
    for (const f of this.#after.reverse()) await f();
  }
}
