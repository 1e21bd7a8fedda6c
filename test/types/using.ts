// What TypeScript 5.2 and later take besides.

import { load } from "../../public/api/tensorsketch.js";

export async function embed(X: Float32Array): Promise<Float32Array> {
  using ts = await load();
  using map = ts.featureMap({ nFeatures: 64 });
  using product = ts.compressedProduct(X, X, { m: 2, k: 3, n: 4 }, { nComponents: 64 });
  product.largest(3);
  return map.transform(X);
}
