// Types of tensorsketch/index: searches for a module of any entry, such as tensorsketch/map.

import type { EmbeddingMap, EmbeddingModule } from "./map.js";
import type { IndexFile, IndexOptions, Platform, RowIndex } from "./tensorsketch.js";

export type * from "./tensorsketch.js";

/** A module that `load` of an entry returned. */
type AnyModule = Pick<EmbeddingModule, "capabilities">;

/**
 * As `index` of a `TensorSketch`: makes an empty index of rows. It fetches index.wasm (11 KB with Brotli).
 *
 * ```js
 * import { load } from "tensorsketch/map";
 * import { makeIndex } from "tensorsketch/index";
 *
 * const index = await makeIndex(await load(), { nFeatures: 384, bits: 4 });
 * ```
 *
 * @throws {TensorSketchError} ERR_PARAM naming a bad option; ERR_LOAD.
 */
export function makeIndex(ts: AnyModule, options: IndexOptions<EmbeddingMap>): Promise<RowIndex>;

/** As `index.from` of a `TensorSketch`: makes the index of a file. It throws the same. */
export function openIndex(ts: AnyModule, file: IndexFile, options?: { map?: EmbeddingMap; key?: Uint8Array;
  signal?: Platform<"AbortSignal">; wasmBinary?: ArrayBuffer | Uint8Array }): Promise<RowIndex>;
