"""The feature maps of docs/SPEC.md, written from that page alone: the same
tables, the same features to rounding. It computes in float64 by the formulas
as they stand, slowly, and needs Python 3.9 and nothing else.

    python3 tensorsketch.py <cases.jsonl >answers.jsonl

A case is a line of JSON: "model", the object of a model file, and "rows",
lists of numbers (for a map of products the p vectors one after another); a
model without "key" wants the 64 digits beside it. The answer has "features",
and with "tables": true in the case the random numbers by name. For a model with
a head it has "scores", "labels" and "probabilities", of "features" if the case
has them. Other cases have "rowsToFit", "sums" or "product": see answer().
"""

import cmath
import functools
import hashlib
import json
import math
import random
import struct
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist, median

PRIME = 2**61 - 1


def float32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


# Sections 1 and 2: seeds, keys, streams.


def key_of(seed):
    if isinstance(seed, str):
        payload = b"i" + int(seed).to_bytes(8, "little")
    elif "string" in seed:
        payload = b"s" + seed["string"].encode()
    else:
        payload = b"b" + bytes.fromhex(seed["bytes"])
    return hashlib.sha256(b"tensorsketch seed 1" + payload).digest()


def chacha20(key, counter, nonce):
    """The 64 bytes of one block: RFC 8439, section 2.3."""
    start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), counter, *nonce]
    s = start[:]
    columns = [(i, i + 4, i + 8, i + 12) for i in range(4)]
    diagonals = [(i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12) for i in range(4)]
    for a, b, c, d in (columns + diagonals) * 10:
        for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = s[x] + s[y] & 0xFFFFFFFF
            v = s[z] ^ s[x]
            s[z] = v << bits & 0xFFFFFFFF | v >> 32 - bits
    return struct.pack("<16I", *(u + v & 0xFFFFFFFF for u, v in zip(s, start)))


class Draws:
    """The streams of one sketch: one key and third word of the nonce."""

    def __init__(self, key, repeat=0, part=0):
        self.key, self.repeat, self.third = key, repeat, repeat + 2**16 * part

    def part(self, n):
        return Draws(self.key, self.repeat, n)

    def words(self, domain, index):
        counter = 0
        while True:
            yield from struct.unpack("<8Q", chacha20(self.key, counter, (domain, index, self.third)))
            counter += 1

    def residues(self, domain, index):
        return (w % 2**61 for w in self.words(domain, index) if w % 2**61 != PRIME)

    def take(self, n, domain, index):
        words = self.words(domain, index)
        return [next(words) for _ in range(n)]


# Section 3: hash functions.


def polynomial(residues, n):
    a = [next(residues) for _ in range(n)]
    return lambda i: sum(c * i**e for e, c in enumerate(a)) % PRIME


def buckets(draws, k, width, D, domain=1):
    v = polynomial(draws.residues(domain, k), 3)
    return [v(i) * D // 2**61 for i in range(width)]


def signs(draws, k, width, domain=2):
    v = polynomial(draws.residues(domain, k), 4)
    return [-1 if v(i) % 2 else 1 for i in range(width)]


# Section 4: scikit-learn's tables.


def sklearn_tables(state, p, width, D):
    words = [state]
    for i in range(1, 624):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + i) % 2**32)
    twister = random.Random()
    twister.setstate((3, (*words, 624), None))

    def bounded(m):
        mask = 2 ** m.bit_length() - 1
        while m:
            v = twister.getrandbits(32) & mask
            if v <= m:
                return v
        return 0

    h = [[bounded(D - 1) for _ in range(width)] for _ in range(p)]
    s = [[-1 if bounded(1) == 0 else 1 for _ in range(width)] for _ in range(p)]
    return h, s


# Section 5: count sketches and their convolution.


def count_sketch(h, s, x, D):
    out = [0] * D
    for bucket, sign, v in zip(h, s, x):
        out[bucket] += sign * v
    return out


def convolve(a, b):
    D = len(a)
    out = [0] * D
    for i, u in enumerate(a):
        if u:
            for j, v in enumerate(b):
                out[(i + j) % D] += u * v
    return out


def fourier(f):
    D = len(f)
    root = [cmath.exp(-2j * cmath.pi * k / D) for k in range(D)]
    return [sum(v * root[j * m % D] for j, v in enumerate(f)) for m in range(D)]


def spectrum(f):
    D = len(f)
    X = fourier(f)
    out = [X[0].real] + ([X[D // 2].real] if D % 2 == 0 else [])
    for m in range(1, (D + 1) // 2):
        out += [math.sqrt(2) * X[m].real, math.sqrt(2) * X[m].imag]
    return [v / math.sqrt(D) for v in out]


class TensorSketch:
    def __init__(self, draws, widths, D, tables=None):
        self.D = D
        self.h, self.s = tables or (
            [buckets(draws, k, w, D) for k, w in enumerate(widths)],
            [signs(draws, k, w) for k, w in enumerate(widths)],
        )
        self.tables = {"indexHash": self.h, "bitHash": self.s}

    def features(self, *xs):
        """The features of the vectors of the degrees, scaled and with their constant."""
        f = None
        for h, s, x in zip(self.h, self.s, xs * len(self.h) if len(xs) == 1 else xs):
            C = count_sketch(h, s, x, self.D)
            f = C if f is None else convolve(f, C)
        return f


# Section 8: other maps. Each is made of its draws, the width of a scaled row
# with its constant, D, the degree and its parameters; features(x) takes that row.


def quantile(u):
    return NormalDist().inv_cdf(u)


def projections(draws, width, R, distribution):
    """The entries, one list for each of R projections."""
    columns = []
    for i in range(width):
        if distribution == "rademacher":
            words = draws.take(-(-R // 64), 4, i)
            columns.append([-1 if words[r // 64] >> r % 64 & 1 else 1 for r in range(R)])
        else:
            columns.append([float32(quantile(((w >> 11) + 0.5) / 2**53)) for w in draws.take(R, 4, i)])
    return [list(row) for row in zip(*columns)]


def dot(a, b):
    return sum(u * v for u, v in zip(a, b))


def interleave(zs):
    return [part for z in zs for part in (z.real, z.imag)]


class RandomProjection:
    def __init__(self, draws, width, D, p, params):
        self.D, self.p = D, p
        self.omega = projections(draws, width, p * D, params["distribution"])
        self.tables = {"projections": self.omega, "orders": [p] * self.count()}

    def count(self):
        return self.D


    def features(self, x):
        y = [dot(row, x) for row in self.omega]
        return [math.prod(y[k * self.D + j] for k in range(self.p)) / math.sqrt(self.D) for j in range(self.D)]


class ComplexProjection(RandomProjection):
    def count(self):
        return self.D // 2

    def features(self, x):
        n, p = self.D // 2, self.p
        y = [dot(row, x) for row in self.omega]
        scale = 2 ** (p / 2) * math.sqrt(n)
        return interleave(
            math.prod(complex(y[2 * k * n + j], y[(2 * k + 1) * n + j]) for k in range(p)) / scale for j in range(n)
        )


class RandomMaclaurin:
    def __init__(self, draws, width, D, p, params, coefficients):
        self.h01, self.a = params.get("h01", False), coefficients
        least = 2 if self.h01 else 0
        q, self.all = params["order"], params.get("allOrders", False)
        P = [q ** -n if a > 0 and n >= least else 0 for n, a in enumerate(self.a)]
        total = q ** -least * q / (q - 1) if self.all else sum(P)
        self.P = [v / total for v in P]
        self.F = D - 1 - width if self.h01 else D
        drawn = [self.order(w) for w in draws.take(self.F, 5, 0)]
        self.orders = sorted(n for n in drawn if n is not None)
        self.omega = projections(draws, width, sum(self.orders), params["distribution"])
        self.tables = {"orders": self.orders, "projections": self.omega}

    def order(self, word):
        u, total = (word >> 11) / 2**53, 0
        for n, p in enumerate(self.P):
            total += p
            if total > u:
                return n
        return None if self.all else len(self.P) - 1

    def features(self, x):
        y = iter([dot(row, x) for row in self.omega])
        f = [math.sqrt(self.a[n] / self.P[n] / self.F) for n in self.orders]
        for k in range(max(self.orders, default=0)):
            for j in range(len(self.orders)):
                if self.orders[j] > k:
                    f[j] *= next(y)
        f = [0] * (self.F - len(f)) + f
        if self.h01:
            f = [math.sqrt(self.a[0])] + [math.sqrt(self.a[1]) * v for v in x] + f
        return f


class ComplexTensorSketch:
    def __init__(self, draws, width, D, p, output):
        self.n, self.output = D // 2, output
        self.h = [buckets(draws, k, width, self.n) for k in range(p)]
        s = [signs(draws, k, width) for k in range(p)]
        u = [signs(draws, k, width, domain=6) for k in range(p)]
        self.s = [[a * (1j if b < 0 else 1) for a, b in zip(*rows)] for rows in zip(s, u)]
        self.tables = {"indexHash": self.h, "bitHash": s, "turns": u}

    def features(self, x):
        f = count_sketch(self.h[0], self.s[0], x, self.n)
        for h, s in zip(self.h[1:], self.s[1:]):
            f = convolve(f, count_sketch(h, s, x, self.n))
        if self.output == "spectrum":
            f = [v / math.sqrt(self.n) for v in fourier(f)]
        return interleave(f)


def hadamard(v):
    v, h = v[:], 1
    while h < len(v):
        for i in range(0, len(v), 2 * h):
            for j in range(i, i + h):
                v[j], v[j + h] = v[j] + v[j + h], v[j] - v[j + h]
        h *= 2
    return v


class Hadamard:
    """One degree: signs, a transform, and F of its entries, in blocks of n."""

    def __init__(self, draws, index, width, F, domains, turns=False):
        self.n = 1 << (width - 1).bit_length()
        blocks = [min(self.n, F - start) for start in range(0, F, self.n)]
        per_word, bits = (32, 2) if turns else (64, 1)
        words = draws.words(domains[0], index)
        self.signs = []
        for _ in blocks:
            block = [next(words) for _ in range(-(-width // per_word))]
            t = [block[i // per_word] >> bits * (i % per_word) & 2**bits - 1 for i in range(width)]
            self.signs.append([(1, 1j, -1, -1j)[v] if turns else 1 - 2 * v for v in t])
        residues = draws.residues(domains[1], index)
        self.entries = []
        for size in blocks:
            a = list(range(self.n))
            for j in range(size):
                o = j + (next(residues) * (self.n - j) >> 61)
                a[j], a[o] = a[o], a[j]
            self.entries.append(a[:size])

    def features(self, x):
        out = []
        for s, entries in zip(self.signs, self.entries):
            v = hadamard([a * b for a, b in zip(s, x)] + [0] * (self.n - len(x)))
            out += [v[e] for e in entries]
        return out


class TensorSRHT:
    def __init__(self, draws, width, D, p):
        self.F = D
        self.factors = [Hadamard(draws, k, width, D, (10, 11)) for k in range(p)]
        self.tables = {"signs": [f.signs for f in self.factors], "entries": [f.entries for f in self.factors]}

    def features(self, x):
        return [math.prod(row) / math.sqrt(self.F) for row in zip(*(f.features(x) for f in self.factors))]


class ComplexTensorSRHT(TensorSRHT):
    def __init__(self, draws, width, D, p):
        self.F = D // 2
        self.factors = [Hadamard(draws, k, width, self.F, (12, 11), turns=True) for k in range(p)]
        turns = {1: 0, 1j: 1, -1: 2, -1j: 3}
        self.tables = {
            "turns": [[[turns[s] for s in block] for block in f.signs] for f in self.factors],
            "entries": [f.entries for f in self.factors],
        }

    def features(self, x):
        return interleave(super().features(x))


class CRAFT:
    def __init__(self, draws, D, base, E):
        self.base, self.D = base, D
        self.down = Hadamard(draws, 0, E, D, (13, 14))
        self.tables = {"signs": self.down.signs, "entries": self.down.entries, "base": base.tables}

    def features(self, x):
        return [v / math.sqrt(self.D) for v in self.down.features(self.base.features(x))]


class TreeTensorSketch:
    def __init__(self, draws, width, D, p):
        self.D, self.p, self.P = D, p, 1 << (p - 1).bit_length()
        self.hashes = {}
        for place in range(1, 2 * self.P):
            if self.constant(place):
                continue
            part = draws.part(place)
            degrees, w = (1, width) if place >= self.P else (2, D)
            self.hashes[place] = [(buckets(part, k, w, D), signs(part, k, w)) for k in range(degrees)]
        self.tables = {"places": {str(k): v for k, v in self.hashes.items()}}

    def constant(self, place):
        while place < self.P:
            place *= 2  # leaves on the left are the first
        return place >= self.P + self.p

    def features(self, x, place=1):
        if self.constant(place):
            return [1] + [0] * (self.D - 1)
        if place >= self.P:
            return count_sketch(*self.hashes[place][0], x, self.D)
        left, right = (
            count_sketch(h, s, self.features(x, 2 * place + side), self.D)
            for side, (h, s) in enumerate(self.hashes[place])
        )
        return convolve(left, right)


def half(w):
    return ((w >> 12) + 0.5) / 2**52


class Fourier:
    """Cosines of frequencies in turns: one list tau[i] for each coordinate."""

    def __init__(self, draws, tau, D, weight, paired, tables=None):
        self.tau, self.D, self.weight, self.paired = tau, D, weight, paired
        self.b = [0] * len(tau[0])
        if not paired:
            b = [(w >> 40) / 2**24 for w in draws.take(D, 17, 0)]
            self.b = [v - 1 if v > 0.5 else v for v in b]
        self.tables = {**(tables or {"frequencies": tau}), **({} if paired else {"offsets": self.b})}

    def features(self, x):
        scale = math.sqrt(2 * self.weight / self.D)
        angles = [2 * math.pi * math.fmod(b + dot(tau, x), 1) for b, tau in zip(self.b, zip(*self.tau))]
        if self.paired:
            return [scale * v for t in angles for v in (math.cos(t), math.sin(t))]
        return [scale * math.cos(t) for t in angles]


def lengths(draws, n, F):
    """Numbers of the χ distribution with n degrees of freedom, times √2/2π."""
    a, words, found = n / 2 - 1 / 3, draws.words(22, 0), []
    while len(found) < F:
        z, u = quantile(half(next(words))), half(next(words))
        v = (1 + z / math.sqrt(9 * a)) ** 3
        if v > 0 and math.log(u) < z * z / 2 + a - a * v + a * math.log(v):
            found.append(math.sqrt(a * v) / math.pi)
    return found


def orthogonal(draws, d, F):
    """Frequencies in orthogonal blocks of d: one list for each coordinate."""
    rows = [list(row) for row in zip(*([quantile(half(w)) for w in draws.take(F, 16, i)] for i in range(d)))]
    for j, row in enumerate(rows):
        for before in rows[j - j % d : j]:
            along = dot(row, before)
            row[:] = [v - along * b for v, b in zip(row, before)]
        norm = math.sqrt(dot(row, row))
        row[:] = [v / norm for v in row]
    return [[float32(r * v) for r, v in zip(lengths(draws, d, F), column)] for column in zip(*rows)]


def structured(draws, d, F):
    """Frequencies in blocks of n, products of Hadamard matrices: one list for each coordinate; and what is drawn."""
    n = max(64, 1 << (d - 1).bit_length())
    factors = [Hadamard(draws, k, n, F, (21, 23)) for k in range(3)]
    scales, tau = [float32(r) for r in lengths(draws, n, F)], []
    for i in range(d):
        column = []
        for block, entries in enumerate(factors[0].entries):
            v = [float(l == i) for l in range(n)]
            for factor in factors:
                v = hadamard([s * a for s, a in zip(factor.signs[block], v)])
            column += [v[e] for e in entries]
        tau.append([r * v / n**1.5 for r, v in zip(scales, column)])
    return tau, {"signs": [f.signs for f in factors], "entries": [factors[0].entries], "lengths": scales}


def random_fourier(draws, width, D, params):
    paired = params.get("paired", False)
    F = D // 2 if paired else D

    def frequency(w):
        if params["kernel"] == "laplacian":
            return float32(math.tan(math.pi * (half(w) - 0.5)) / (2 * math.pi))
        if params["kernel"] == "cauchy":
            u = half(w)
            return float32(math.copysign(math.log(2 * min(u, 1 - u)) / (2 * math.pi), u - 0.5))
        return float32(math.sqrt(2) * quantile(half(w)) / (2 * math.pi))

    projection, tables = params.get("projection", "iid"), None
    if projection == "orthogonal":
        tau = orthogonal(draws, width, F)
    elif projection == "structured":
        tau, tables = structured(draws, width, F)
    else:
        tau = [[frequency(w) for w in draws.take(F, 16, i)] for i in range(width)]
    return Fourier(draws, tau, D, 1, paired, tables)


def sphere_mean(d, z):
    """Ω_d(z), the mean of cos⟨z·e, u⟩ over the unit sphere of d dimensions."""
    q = -z * z / 4
    term = total = Decimal(1)
    k = 0
    while abs(term) > Decimal(10) ** -40:
        term *= q / ((k + 1) * (Decimal(d) / 2 + k))
        total += term
        k += 1
    return total


def least_squares(columns, y):
    """The weights of columns nearest to y, by normal equations: Decimal has the digits for them."""
    n = len(columns)
    A = [[dot(u, v) for v in columns] + [dot(u, y)] for u in columns]
    for i in range(n):
        for r in range(n):
            if r != i:
                m = A[r][i] / A[i][i]
                A[r] = [a - m * b for a, b in zip(A[r], A[i])]
    return [A[i][n] / A[i][i] for i in range(n)]


def nonnegative_least_squares(columns, y):
    """Lawson & Hanson's algorithm with the end that section 8 gives it."""
    w, chosen, rest = [0] * len(columns), [], y
    while True:
        slopes = {i: dot(c, rest) for i, c in enumerate(columns) if w[i] == 0}
        best = max(slopes, key=slopes.get)
        if slopes[best] <= dot(y, y) / 10**9:
            return w
        chosen.append(best)
        while True:
            v = dict(zip(chosen, least_squares([columns[i] for i in chosen], y)))
            steps = {i: w[i] / (w[i] - v[i]) for i in chosen if v[i] <= 0}
            step = min(steps.values(), default=1)
            for i in chosen:
                w[i] += step * (v[i] - w[i])
            if not steps:
                break
            out = min(steps, key=steps.get)
            w[out] = 0
            chosen.remove(out)
        rest = [t - sum(w[i] * columns[i][j] for i in chosen) for j, t in enumerate(y)]


@functools.lru_cache
def shells(d, p, a, signed):
    """The lengths of spherical that have a weight, largest first, with weights and signs; first those of the sign 1."""
    with localcontext() as context:
        context.prec = 60
        a, g = Decimal(a), Decimal("0.94")
        largest = 3 * Decimal(2 * p).sqrt() / a * Decimal(d).sqrt()
        r = [largest * g**i for i in range(54)] + [Decimal(0)]
        z = [2 * g**j for j in range(60)] + [Decimal(0)]
        v = [(1 - g) * z[j] for j in range(60)] + [2 * g**60]
        omega = [sphere_mean(d, 2 * largest * g**n) for n in range(54 + 60)]
        columns = [[v[j].sqrt() * (omega[i + j] if r[i] * z[j] else 1) for j in range(61)] for i in range(55)]
        y = [u.sqrt() * (1 - t * t / (a * a)) ** p for u, t in zip(v, z)]
        signs = [1] * 55
        if signed:
            r, signs, y = r + r, signs + [-1] * 55, y + [0]
            columns = [[s * v for v in c] + [1 / Decimal(2048).sqrt()] for s in (1, -1) for c in columns]
        w = nonnegative_least_squares(columns, y)
        return [(float(length), float(weight), s) for length, weight, s in zip(r, w, signs) if weight > 0]


def spherical(draws, width, D, p, params):
    signed, signs = params.get("signed", False), []
    lengths = shells(width, p, params["a"], signed)
    W = sum(w for _, w, _ in lengths)
    paired = params.get("paired", False)
    F = D // 2 if paired else D
    normals = [[float32(quantile(half(w))) for w in draws.take(F, 18, i)] for i in range(width)]
    tau = [[] for _ in range(width)]
    for j, word in enumerate(draws.take(F, 19, 0)):
        rest = W * half(word)
        for r, w, sign in lengths:
            rest -= w
            if rest < 0:
                break
        signs += [sign] * (D // F)
        column = [row[j] for row in normals]
        norm = 2 * math.pi * math.sqrt(dot(column, column))
        for i, n in enumerate(column):
            tau[i].append(float32(n * r / norm))
    return Fourier(draws, tau, D, W, paired, {"frequencies": tau, "signs": signs} if signed else None)


ARC_COSINE = [1 / math.pi, 0.5] + [
    0 if n % 2 else math.comb(n - 2, n // 2 - 1) / (2 ** (n - 2) * n * (n - 1) * math.pi) for n in range(2, 65)
]


def smooth(most):
    """The largest product of powers of 2, 3 and 5 up to most."""
    best = 1
    for two in range(most.bit_length()):
        for three in range(17):
            n = 2**two * 3**three
            while n <= most:
                best = max(best, n)
                n *= 5
    return best


class TaylorSketch:
    def __init__(self, draws, width, D, gamma, params):
        self.kernel = params["kernel"]
        factor = {"gaussian": 2 * gamma, "arc-cosine": 1}.get(self.kernel, gamma)
        a = {"arc-cosine": ARC_COSINE, "series": params.get("coefficients")}.get(self.kernel)
        self.a = (a or [1 / math.factorial(n) for n in range(65)])[: params["terms"]]
        self.constants = 1 if self.a[0] > 0 else 0
        orders = [n for n in range(1, len(self.a)) if self.a[n] > 0]
        v = [self.a[n] * factor**n * math.sqrt(2 ** (n + 1) - 2) for n in orders]
        free = D - self.constants - len(orders)
        share = [u / sum(v) if math.isfinite(sum(v)) else 1 / len(v) for u in v]
        lengths = [smooth(1 + math.floor(free * s)) for s in share]
        lengths[0] = D - self.constants - sum(lengths[1:])
        self.parts = [(n, TensorSketch(draws.part(n), [width] * n, Dn)) for n, Dn in zip(orders, lengths)]
        self.tables = {"lengths": lengths, "parts": {str(n): part.tables for n, part in self.parts}}

    def features(self, x):
        square, g = dot(x, x), 1
        if self.kernel == "gaussian":
            g = math.exp(-square / 2)
        if self.kernel == "arc-cosine":
            g = math.sqrt(square)
            x = [v / g if g else 0 for v in x]
        out = [math.sqrt(self.a[0]) * g] if self.constants else []
        for n, part in self.parts:
            out += [math.sqrt(self.a[n]) * g * v for v in part.features(x)]
        return out


class Nystroem:
    def __init__(self, landmarks, D, p, kernel):
        self.D, self.p, self.kernel = D, p, kernel
        K = [[self.of(a, b) for b in landmarks] for a in landmarks]
        least = max(max(row) for row in K) * 1e-12
        rest = [K[i][i] for i in range(D)]
        self.landmarks, self.L, columns = [], [], []
        left = list(range(D))
        while left:
            i = max(left, key=lambda j: (rest[j], -j))
            if rest[i] <= least:
                break
            left.remove(i)
            pivot = math.sqrt(rest[i])
            column = [(K[j][i] - sum(c[j] * c[i] for c in columns)) / pivot for j in range(D)]
            column[i] = pivot
            rest = [v - c * c for v, c in zip(rest, column)]
            columns.append(column)
            self.landmarks.append(landmarks[i])
            self.L.append([c[i] for c in columns])
        self.tables = {}

    def of(self, x, y):
        if self.kernel == "gaussian":
            return math.exp(-sum((a - b) ** 2 for a, b in zip(x, y)))
        return math.exp(dot(x, y)) if self.kernel == "exponential" else dot(x, y) ** self.p

    def features(self, x):
        out = []
        for row, landmark in zip(self.L, self.landmarks):
            out.append((self.of(x, landmark) - dot(row, out)) / row[-1])
        return out + [0] * (self.D - len(out))


class KSpace:
    def __init__(self, sketch, second, M):
        self.sketch, self.M = sketch, M
        self.tables = {"first": sketch.tables, "second": second.tables}

    def features(self, x):
        y = [float32(v) for v in self.sketch.features(x)]
        return [dot(y, column) for column in zip(*self.M)]


def landmark_rows(draws, n, D):
    a = list(range(n))
    for i, w in enumerate(draws.take(D, 20, 0)):
        o = i + (w * (n - i) >> 64)
        a[i], a[o] = a[o], a[i]
    return a[:D]


# Section 6: models.


def kernel_of_row(m, squares):
    """κ(x, x) from the squared norms of the vectors of a row."""
    p, gamma, c, kernel = m["degree"], m["gamma"], m["coef0"], m["methodParams"].get("kernel")
    if m["method"] == "spherical":
        a = m["methodParams"]["a"]
        return (1 - 2 / a**2 + 2 * squares[0] / a**2) ** p
    if m["method"] == "random-fourier" or kernel == "gaussian":
        return 1
    if kernel == "arc-cosine":
        return gamma * squares[0]
    if kernel == "exponential":
        return math.exp(gamma * squares[0])
    if kernel == "series":
        return sum(a * (gamma * squares[0]) ** n for n, a in enumerate(m["methodParams"]["coefficients"]))
    return math.prod(gamma * square + c for square in (squares * p if len(squares) == 1 else squares))


class Map:
    """The map of a model file; key is for a keyed one that does not hold it, or its passphrase is given."""

    def __init__(self, model, key=None, passphrase=None):
        self.m = m = model
        head = m.get("head", {})
        newer = "preparation" in m or "conformal" in head or "clip" in (head.get("calibration") or {})
        assert (m["format"], m["version"]) == ("tensorsketch-model", 2 if newer else 1)
        self.each = m["nFeatures"] if isinstance(m["nFeatures"], list) else [m["nFeatures"]]
        self.key = b""
        if m["hash"] == "seed":
            self.key = key_of(m["seed"])
        elif m["hash"] == "key":
            text = m.get("key", key)
            if text is None:
                salt = m["keySalt"]
                text = hashlib.pbkdf2_hmac("sha256", passphrase.encode(), bytes.fromhex(salt["salt"]), salt["iterations"]).hex()
            check = hashlib.sha256(b"tensorsketch key check 1" + bytes.fromhex(text)).hexdigest()[:32]
            assert check == m["keyCheck"], "another key"
            self.key = key_of({"bytes": text})
        self.sketches = [self.sketch(Draws(self.key, r)) for r in range(m["repeats"])]

    def factor(self):
        m, kernel = self.m, self.m["methodParams"].get("kernel")
        if m["method"] == "spherical":
            return 1
        if kernel == "laplacian":
            return m["gamma"]
        return math.sqrt(2 * m["gamma"] if (m["method"], kernel) == ("taylor-sketch", "gaussian") else m["gamma"])

    def scaled(self, x):
        c = 0 if self.effective_method() == "random-maclaurin" else self.m["coef0"]
        return [self.factor() * v for v in x] + ([math.sqrt(c)] if c > 0 else [])

    def effective_method(self):
        return self.m["methodParams"].get("base", self.m["method"])

    def sketch(self, draws, method=None, D=None):
        m, params = self.m, self.m["methodParams"]
        method, D, p = method or m["method"], D or m["nComponents"], m["degree"]
        width = len(self.scaled([0] * self.each[0]))
        if method in ("tensor-sketch", "count-sketch"):
            tables = None
            widths = [len(self.scaled([0] * d)) for d in self.each]
            if m["hash"] == "random-state":
                tables = sklearn_tables(m["randomState"], p, width, D)
            if m["hash"] == "tables":
                tables = m["indexHash"], m["bitHash"]
            return TensorSketch(draws, widths * p if len(widths) == 1 else widths, D, tables)
        if method == "complex-tensor-sketch":
            return ComplexTensorSketch(draws, width, D, p, m["output"])
        if method == "random-maclaurin":
            return RandomMaclaurin(draws, width, D, p, params, self.maclaurin_coefficients())
        if method == "tensorized-random-projection":
            return RandomProjection(draws, width, D, p, params)
        if method == "complex-tensorized-random-projection":
            return ComplexProjection(draws, width, D, p, params)
        if method == "tensor-srht":
            return TensorSRHT(draws, width, D, p)
        if method == "complex-tensor-srht":
            return ComplexTensorSRHT(draws, width, D, p)
        if method == "craft":
            E = params.get("upComponents", 8 * D)
            return CRAFT(draws, D, self.sketch(draws, params["base"], E), E)
        if method == "tree-tensor-sketch":
            return TreeTensorSketch(draws, width, D, p)
        if method == "spherical":
            return spherical(draws, width, D, p, params)
        if method == "random-fourier":
            return random_fourier(draws, width, D, params)
        if method == "taylor-sketch":
            return TaylorSketch(draws, width, D, m["gamma"], params)
        if method == "k-space":
            rows = params.get("m", min(4 * D, 4096))
            size, numbers = rows * D, m["projection"]
            at = draws.repeat * size
            assert len(numbers) == m["repeats"] * size
            M = [numbers[i : i + D] for i in range(at, at + size, D)]
            second = TensorSketch(draws.part(1), [width] * p, params.get("r", min(8 * D, 8192)))
            return KSpace(TensorSketch(draws, [width] * p, rows), second, M)
        if method != "nystroem":
            raise ValueError(f"method {method} is not here: write it from docs/SPEC.md, section 8")
        d, landmarks = self.each[0], [float32(v) for v in m["landmarks"]]
        rows = [landmarks[i : i + d] for i in range(draws.repeat * D * d, (draws.repeat + 1) * D * d, d)]
        return Nystroem([self.scaled(row) for row in rows], D, p, params["kernel"])

    def maclaurin_coefficients(self):
        params, p, c = self.m["methodParams"], self.m["degree"], self.m["coef0"]
        if params["kernel"] == "polynomial":
            return [math.comb(p, n) * c ** (p - n) for n in range(p + 1)]
        if params["kernel"] == "exponential":
            return [1 / math.factorial(n) for n in range(65)]
        a = params["coefficients"][:]
        while a and a[-1] == 0:
            a.pop()
        return a

    def features(self, row):
        vectors, start = [], 0
        for d in self.each:
            vectors.append([float32(v) for v in row[start : start + d]])
            start += d
        xs = [self.scaled(x) for x in vectors]
        out = []
        for sketch in self.sketches:
            f = sketch.features(*xs)
            if self.m["output"] == "spectrum" and self.m["method"] != "complex-tensor-sketch":
                f = spectrum(f)
            scale = 1
            if self.m["normalize"] == "kernel":
                norm = math.sqrt(dot(f, f))
                scale = norm and math.sqrt(kernel_of_row(self.m, [dot(x, x) for x in vectors])) / norm
            out += [v * scale / math.sqrt(len(self.sketches)) for v in f]
        return out


# Section 6: preparations.


class Preparation:
    def __init__(self, file):
        self.form, self.columns = file["form"], file.get("columns")
        if self.form == "raw":
            assert self.columns is None
            self.columns = [{"indicator": True}] * file["nFeatures"]
        width = sum((not c.get("unused", False)) + c.get("missing", False) + len(c.get("codes", []))
                    for c in self.columns)
        self.weights = file.get("weights", [1] * width)
        assert len(self.weights) == width and set(file) <= {"form", "nFeatures", "columns", "weights", "unit"}
        self.unit = file.get("unit", False)
        self.file = file

    def number(self, c, x, w):
        if self.form == "qn":
            knots, values = c["knots"], c["values"]
            if math.isnan(x):
                return 0
            x = min(max(x, knots[0]), knots[-1])
            i = max(i for i in range(len(knots) - 1) if knots[i] <= x)
            return (values[i] + (values[i + 1] - values[i]) / (knots[i + 1] - knots[i]) * (x - knots[i])) * w
        low, high = c["low"], c["high"]
        x = min(max(c["fill"] if math.isnan(x) else x, low), high)
        if self.form == "mm":
            return (x - low) * (w / (high - low))
        return (x - c["mean"]) * (w / c["scale"])

    def row(self, row):
        """The row of the map. None is a missing number."""
        row = [math.nan if x is None else float32(x) for x in row]
        assert len(row) == len(self.columns)
        weights, out = iter(self.weights), []
        for c, x in zip(self.columns, row):
            assert not math.isinf(x)
            if c.get("indicator"):
                assert not math.isnan(x)
                out.append(x * next(weights))
            elif not c.get("unused"):
                out.append(self.number(c, x, next(weights)))
            if c.get("missing"):
                out.append(next(weights) * math.isnan(x))
            out += [next(weights) * (x == code) for code in c.get("codes", [])]
        square = 0
        for y in out:
            square += y * y
        length = math.sqrt(square) if self.unit and square else 1
        return [float32(y / length) for y in out]


# Section 6: heads and sums. Section 8: compressed products.


def label_order(label):
    """false, true, numbers, texts by their UTF-8."""
    if isinstance(label, bool):
        return (0, label, b"")
    return (2, 0, label.encode()) if isinstance(label, str) else (1, label, b"")


def numbers(list, length):
    assert len(list) == length and all(not isinstance(v, bool) and math.isfinite(v) for v in list)
    return list


class Head:
    """The head of a model file whose map has N features a row."""

    def __init__(self, head, N):
        keys = [k for k in ("task", "loss", "classes", "alpha", "intercept", "weights", "calibration", "conformal", "report")
                if k in head]
        assert set(head) == set(keys), "another key"
        self.classes = head.get("classes")
        K = len(self.classes) if head["task"] == "classify" else len(head["intercept"])
        if self.classes is not None:
            order = [label_order(c) for c in self.classes]
            assert head["task"] == "classify" and K >= 2 and all(a < b for a, b in zip(order, order[1:]))
        self.intercept = numbers(head["intercept"], K)
        w = numbers(head["weights"], K * N)
        self.weights = [w[k * N : (k + 1) * N] for k in range(K)]
        self.calibration = c = head.get("calibration")
        self.clip = 0
        if isinstance(c, dict) and "clip" in c:
            self.clip, self.calibration = c["clip"], "softmax"
            assert set(c) == {"clip"} and 0 < self.clip <= 1
        elif isinstance(c, dict):
            numbers(c["offset"], K)
            numbers(c["matrix"], K * K)

    def scores(self, z):
        out = []
        for w, score in zip(self.weights, self.intercept):
            for u, v in zip(w, z):
                score += u * float32(v)
            out.append(score)
        return out

    def label(self, scores):
        return self.classes and self.classes[scores.index(max(scores))]

    def probabilities(self, scores):
        c, K = self.calibration, len(scores)
        if c is None:
            return None
        v = scores
        if c != "softmax":
            v = [c["offset"][i] + dot(c["matrix"][i * K : (i + 1) * K], scores) for i in range(K)]
        e = [math.exp(u - max(v)) for u in v]
        return [(u / sum(e) + self.clip / K) / (1 + self.clip) for u in e]


def sum_text(exact):
    n, power = exact.numerator, 1 - exact.denominator.bit_length()
    while n and n % 2 == 0:
        n, power = n // 2, power + 1
    return f"{'-' if n < 0 else ''}{abs(n):x}p{power}" if n else "0"


def sums_file(model, preprocessing, features, weights):
    """The file of rows that were added, and their sums and means."""
    weights = [Fraction(float32(w)) for w in weights]
    total = [Fraction(0)] * len(features[0])
    for row, w in zip(features, weights):
        total = [t + w * Fraction(float32(v)) for t, v in zip(total, row)]
    file = {
        "format": "tensorsketch-sums",
        "version": 1,
        "model": {k: v for k, v in model.items() if k not in ("keySalt", "key", "preprocessing")},
        "preprocessing": preprocessing,
        "count": len(features),
        "rows": len(features),
        "weight": sum_text(sum(weights)),
        "sums": [sum_text(t) for t in total],
    }
    return {"file": file, "sum": [float(t) for t in total], "mean": [float(t / sum(weights)) for t in total]}


def product_entries(m, n, D, t, seed, A, B):
    """The estimates of all entries of A·B, of m rows and n columns, and the estimate of ‖A·B‖²."""
    estimates, squares = [], []
    for r in range(t):
        draws = Draws(key_of(seed), r)
        h = [buckets(draws, side, width, D, domain=28) for side, width in enumerate((m, n))]
        s = [signs(draws, side, width, domain=29) for side, width in enumerate((m, n))]
        sketch = TensorSketch(draws, [], D, (h, s))
        c = [0] * D
        for column, row in zip(zip(*A), B):
            c = [u + v for u, v in zip(c, sketch.features(column, row))]
        estimates.append([[s[0][i] * s[1][j] * c[(h[0][i] + h[1][j]) % D] for j in range(n)] for i in range(m)])
        squares.append(dot(c, c))
    entries = [[median(e[i][j] for e in estimates) for j in range(n)] for i in range(m)]
    return {"entries": entries, "squaredNorm": sum(squares) / t}


def answer(case):
    if "product" in case:
        return product_entries(**case["product"])
    if "sums" in case:
        return sums_file(case["model"], **case["sums"])
    if "rowsToFit" in case:
        key, D = key_of(case["model"]["seed"]), case["model"]["nComponents"]
        repeats = range(case["model"]["repeats"])
        return {"rows": sum((landmark_rows(Draws(key, r), case["rowsToFit"], D) for r in repeats), [])}
    m = Map(case["model"], case.get("key"), case.get("passphrase"))
    rows, result = case["rows"], {}
    if "preparation" in case["model"]:
        prepare = Preparation(case["model"]["preparation"])
        rows = result["prepared"] = [prepare.row(row) for row in rows]
    result["features"] = [m.features(row) for row in rows]
    if "head" in case["model"]:
        head = Head(case["model"]["head"], len(result["features"][0]))
        result["scores"] = [head.scores(z) for z in case.get("features", result["features"])]
        result["labels"] = [head.label(s) for s in result["scores"]]
        result["probabilities"] = [head.probabilities(s) for s in result["scores"]]
    if case.get("tables"):
        result["tables"] = [sketch.tables for sketch in m.sketches]
    return result


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
