// ROWS FEATURES COMPONENTS: µs per row of two products of float32 matrices, ROWS × FEATURES by FEATURES × COMPONENTS,
// and that by COMPONENTS × COMPONENTS: the work of scikit-learn's Nystroem without its kernel. nystroem.mjs compiles
// it.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 8, COLUMNS = 64, DEPTH = 256 };

// c += a·b, tile by tile; sizes are multiples of ROWS and COLUMNS.
static void multiply(float *c, const float *a, const float *b, int n, int depth, int width) {
  for (int from = 0; from < depth; from += DEPTH) {
    int to = from + DEPTH < depth ? from + DEPTH : depth;
    for (int j = 0; j < width; j += COLUMNS) {
      for (int i = 0; i < n; i += ROWS) {
        float tile[ROWS][COLUMNS] = {0};
        for (int k = from; k < to; k++) {
          for (int r = 0; r < ROWS; r++) {
            for (int s = 0; s < COLUMNS; s++) tile[r][s] += a[(i + r) * depth + k] * b[k * width + j + s];
          }
        }
        for (int r = 0; r < ROWS; r++) {
          for (int s = 0; s < COLUMNS; s++) c[(i + r) * width + j + s] += tile[r][s];
        }
      }
    }
  }
}

static float *numbers(int count, float scale) {
  float *x = malloc(sizeof(float) * count);
  for (int i = 0; i < count; i++) x[i] = scale * (rand() / (float)RAND_MAX - 0.5f);
  return x;
}

int main(int count, char **words) {
  if (count != 4) return 1;
  int n = atoi(words[1]), d = atoi(words[2]), D = atoi(words[3]);
  float *x = numbers(n * d, 1), *landmarks = numbers(d * D, 1), *root = numbers(D * D, 1);
  float *kernel = numbers(n * D, 0), *z = numbers(n * D, 0);
  double best = 1e9;
  for (int run = 0; run < 7; run++) {
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    multiply(kernel, x, landmarks, n, d, D);
    multiply(z, kernel, root, n, D, D);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double took = 1e6 * (to.tv_sec - from.tv_sec) + 1e-3 * (to.tv_nsec - from.tv_nsec);
    if (took < best) best = took;
  }
  printf("%g\n", best / n + 0 * z[n]);
}
