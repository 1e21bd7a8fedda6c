import { load, type FeatureMap } from "tensorsketch";
import { loadDataset, type Dataset } from "tensorsketch/dataset";

export async function embed(X: Float32Array): Promise<Float32Array> {
  const ts = await load({ threads: 2 });
  const map: FeatureMap = ts.featureMap({ nFeatures: 64, degree: 2 });
  // @ts-expect-error: an unknown parameter
  ts.featureMap({ nFeature: 64 });
  // @ts-expect-error: also where there are no types of the DOM
  await load({ signal: 5 });
  const dataset: Dataset = await loadDataset();
  const { columns } = dataset.sniff(dataset.source(new Uint8Array()));
  return columns.length > 0 ? map.transformAsync(X) : X;
}
