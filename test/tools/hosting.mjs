// What hosts.mjs and frameworks.mjs share: the app, folders, a static server, and how hosts are started.

import { execFile } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, resolve } from "node:path";
import { promisify } from "node:util";

export const apps = resolve("apps");
export const library = resolve("node_modules/tensorsketch");
export const node22 = resolve("node_modules/node22/bin/node");
export const out = (name) => resolve("out", name);
export const run = promisify(execFile);
export const running = []; // what ends the servers
export const headers = {}; // of the answers, by folder of out/

export const coreOfApp = { "core.js": readFileSync(join(apps, "core.js"), "utf8") };
export const app = (options = "{}", before = "") => `
  ${before}
  import { load } from "tensorsketch";
  import { runBuilds, runCore, tell } from "./core.js";
  tell((async () => ${options === "{}" ? "runBuilds(load)" : `runCore(load, ${options})`})());`;

export function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css" };
const server = createServer(({ url }, response) => {
  const path = new URL(url, "http://x").pathname;
  const file = join(out(""), path.endsWith("/") ? `${path}index.html` : path);
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": types[extname(file)] ?? "text/plain", "Access-Control-Allow-Origin": "*",
    ...headers[path.split("/")[1]] });
  createReadStream(file).pipe(response);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
export const { port } = server.address();

/** A page of out/ that runs a script. */
export function page(name, script) {
  write(out(name), { "index.html": html(name, script) });
  return { page: `http://127.0.0.1:${port}/${name}/` };
}

export const html = (name, script = `<script type="module" src="app.js"></script>`) =>
  `<!doctype html><meta charset="utf-8"><title>${name}</title>${script}`;

export async function ofNode(file, program = process.execPath, options = {}) {
  const { stdout } = await run(program, [].concat(file), { maxBuffer: 1 << 26, ...options });
  return { told: stdout.trim().split("\n").findLast((line) => line.startsWith("{")) };
}

/** Moves a folder to where no node_modules is above it, as a deployment does. Returns its new place. */
export function moved(folder, name) {
  const to = resolve("..", "deployed", name);
  mkdirSync(dirname(to), { recursive: true });
  renameSync(folder, to);
  return to;
}

/** Returns a port that is free now. */
async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, "127.0.0.1", done));
  const { port: free } = probe.address();
  await new Promise((done) => probe.close(done));
  return free;
}

/**
 * Starts a server by a program of Node 22, until the end, and returns its address when it answers. It gets its port as
 * PORT, or where args holds "PORT".
 */
export async function serve(cwd, args, env = {}) {
  const own = String(await freePort());
  const child = execFile(node22, args.map((arg) => arg.replace("PORT", own)),
    { cwd, env: { ...process.env, PORT: own, HOST: "127.0.0.1", HOSTNAME: "127.0.0.1", ...env }, maxBuffer: 1 << 26 });
  running.push(() => child.kill());
  let text = "", hasEnded = false;
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
  child.on("exit", () => (hasEnded = true));
  const address = `http://127.0.0.1:${own}`;
  for (const until = Date.now() + 90_000; !hasEnded && Date.now() < until;) {
    if (await fetch(address).then((answer) => answer.text(), () => null) !== null) return address;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`${args.join(" ")} ${hasEnded ? "has ended" : "does not answer"}: ${text.slice(-4000)}`);
}

/** Returns what a route tells as JSON. */
export const told = async (address) => ({ told: await (await fetch(address)).text() });

/**
 * Starts the hosts whose names match, and prints a line of JSON for each. Servers go on until the input ends. The
 * pattern "names" prints all names.
 *
 * @param {Record<string, any>} hosts functions by name, or pairs of one and what is wanted
 */
export async function start(hosts, pattern = "") {
  if (pattern === "names") {
    console.log(Object.keys(hosts).join("\n"));
    process.exit();
  }
  for (const [name, row] of Object.entries(hosts)) {
    if (!new RegExp(pattern).test(name)) continue;
    const [make, wants = {}] = [row].flat();
    const outcome = await Promise.resolve().then(make).catch((error) =>
      ({ told: JSON.stringify({ error: `not started: ${error.message} ${error.stdout ?? ""}` }) }));
    console.log(JSON.stringify({ name, wants, ...outcome }));
  }
  console.log("{}");
  process.stdin.on("end", async () => {
    await Promise.all(running.map((end) => end()));
    process.exit();
  }).resume();
}
