// Functions of DuckDB for Node that a feature map or a model computes: FLOAT[] to FLOAT[], and FLOAT[] to VARCHAR.
import { DuckDBScalarFunction, FLOAT, LIST, VARCHAR, listValue } from "@duckdb/node-api";

/** Makes name(FLOAT[]) the features of a map. */
export function registerFeatures(connection, name, map) {
  register(connection, name, LIST(FLOAT), map.nFeatures, (X, n) => {
    const Z = map.transform(X);
    const D = Z.length / n;
    return (row) => listValue(Array.from(Z.subarray(row * D, (row + 1) * D)));
  });
}

/** Makes name(FLOAT[]) the label that a model predicts. */
export function registerPredict(connection, name, model) {
  register(connection, name, VARCHAR, model.map.nFeatures, (X) => {
    const labels = model.predict(X);
    return (row) => String(labels[row]);
  });
}

// register makes a function of rows of d numbers. of(X, n) computes all n rows of a chunk, up to 2,048, and returns a
// function that gives the result of each. NULL gives NULL.
function register(connection, name, returnType, d, of) {
  const mainFunction = (info, input, output) => {
    try {
      const lists = input.getColumnVector(0);
      const X = new Float32Array(input.rowCount * d);
      const places = []; // of each row among those that are not NULL, or −1
      let n = 0;
      for (let row = 0; row < input.rowCount; row++) {
        const numbers = lists.getItemVector(row)?.toArray();
        if (numbers && numbers.length !== d) throw new Error(`a row has ${numbers.length} numbers, want ${d}`);
        if (numbers) X.set(numbers.map((v) => v ?? NaN), n * d);
        places.push(numbers ? n++ : -1);
      }
      const result = n > 0 ? of(X.subarray(0, n * d), n) : undefined;
      for (const [row, place] of places.entries()) output.setItem(row, place < 0 ? null : result(place));
      output.flush();
    } catch (e) {
      info.setError(`${name}: ${e.message}`);
    }
  };
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({ name, returnType, parameterTypes: [LIST(FLOAT)], mainFunction }));
}
