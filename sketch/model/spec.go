package model

// This file specifies the files of learners and the moments in them, with the promises of docs/SPEC.md, "What stays".
// learner.go reads and writes them here, public/api/learnerfile.js in JavaScript; package learn makes the moments.

// # Learners
//
// The file of a learner is a JSON object with these keys, in the notation of docs/SPEC.md, section 6. Keys in
// parentheses are left out where they do not apply:
//
//   - format, version: "tensorsketch-learner", and 3 where there is a grid; of learners on grids of 2^12 1, or 2
//     exactly where there is a preparation or keep
//   - model: the map's model, without keySalt, key, preprocessing and head
//   - preprocessing: any text, compared literally; by default the JSON of the model's preprocessing
//   - (preparation): as in a model; then radius is about prepared rows. Not beside private
//   - task: "classify" or "regress"
//   - (classes, classesGiven): for "classify", K labels as in a head, and whether they were given; if not, each has
//     rows. K may be 0
//   - (targets, targetRange): for "regress", K ≥ 1, and the lowest and highest target
//   - radius, step, folds: largest length of a row (0 if not stated), step of the grid, 0, 1 or 5
//   - (grid): exactly if the version is 3, for grids of 16 bits: limit 32767, (finer) in base64, and with linear the
//     same of the rows themselves: linear has step and (finer)
//   - (keep): the share of the rows that is kept, above 0 and at most 1
//   - (private): true if the moments can be released (docs/privacy.md)
//   - (cut): exactly where there is a preparation: cells of the rows that it cut
//   - (missing): why there are no moments of the rows themselves
//   - (tally): how rows went onto the grid, in base64: 67 words for each part of moments, then for each part of
//     linear: the rows that were counted, their lost energy, rows that lost a twentieth, and 64 counts by hash
//     (package learn, tally.go). Private moments have none
//   - (kept): beside keep, rows of features on the grid, in base64 (below)
//   - moments: the moments of the features, in base64 (RFC 4648, with padding)
//   - (linear): the moments of the rows themselves as features, D = d, where there is no grid with the smallest power
//     of two that is at least radius/2^12 as step. Where there is a preparation, these are the rows of the linear
//     model beside, and the radius is 1 with unit, else √Σm², in order, with m the largest |y| of a coordinate: 1 for
//     indicators and missing, the larger of (mean − low)/scale and (high − mean)/scale for the others; for "raw"
//     without unit it is radius
//
// moments and linear are words of Moments, 8 bytes each, with K = 1 where there is no class yet.
// Where private is true, moments has the bound κ(x, x)^½ at ‖x‖ = radius.
//
// Kept rows. With h' = SplitMix64's output function of h + 0x9e3779b97f4a7c15, h the hash of Moments,
// a row is kept if h' < ⌊⌊2^64·keep⌋/2^v⌋, 2^64 − 1 standing for 2^64. v is 0, and grows by 1 as long as more than
// 8,000 rows are kept; merged parts take the larger v. kept is v in 4 bytes, then each kept row by ascending h',
// integers and numbers: as int32 its class, or each target's integer, and as int16 its D integers, with two zero
// bytes if D is odd. Kept rows add and subtract as a multiset.
//
// The binary form is the eight bytes TSLEARN2, the length of the JSON in 8 bytes, the JSON (without moments and
// linear, filled with spaces to a multiple of 8), the words of both, and the CRC-32 (as in gzip) of all before, in 8
// bytes. Readers refuse another one. Up to 0.3.0 it began with TSLEARN1, without the CRC-32; readers take that, too.

// # Moments
//
// Moments are sums over rows of D features z and of classes or targets.
//
// Integers. q_j = z_j/s_j, rounded to the nearest integer, ties to even, and cut to ±limit. The limit is 2^12 or, on a
// grid of 16 bits, 32,767, where one of ±2^15 becomes ±32,767 and does not count as a cut. s_j = step·2^−f_j; f_j is 0,
// or byte j of finer on a grid of 16 bits, at most 100. The step is a power of two, and all s_j are from 2^−100 to
// 2^100. A target y, low ≤ y ≤ high, becomes t = (y − middle)/(range·2^−20), rounded in the same way. In float64,
// middle = low/2 + high/2 and range = high − low. The range is from 2^−400 to 2^400, and at least 2^−30 of the larger
// of |low| and |high|.
//
// Words. A part of moments has these signed 64-bit words, with K classes or K targets:
//
//  1. the number of rows, then the number of cuts;
//  2. Σ q_i q_j for i = 0 … D − 1, j = 0 … i;
//  3. for classes: the rows of each class; then Σ q_i over the rows of each class, class by class;
//  4. for targets: Σ q_i; Σ t_k; Σ t_k t_l for k = 0 … K − 1, l = 0 … k; Σ t_k q_i, target by target;
//  5. for neither: Σ q_i.
//
// Moments have at most 2^39 − 1 rows, on a grid of 16 bits 2^33 − 1, with targets 2^25 − 1, in all parts together.
// Readers refuse words that no rows have, such as negative squares or counts that do not add up to the rows.
//
// Folds. Without folds there is one part. With 5 folds a row is in part h mod 5, with 1 fold in part 0 if h mod 5 is 0
// and else in part 1. The hash h is of the row's integers. Modulo 2^64, with an integer 0 appended to an odd number of
// them:
//
//	w_i = (q_2i mod 2^32) + 2^32·(q_(2i+1) mod 2^32)                    i = 0, 1, …
//	s_k = 0, k = 0 … 3; then for each i in order: s_k ← (s_k xor w_i)·9e3779b97f4a7c15₁₆, k = i mod 4
//	h   = mix(mix(mix(mix(s_0) xor s_1) xor s_2) xor s_3)
//	mix(x): x ← (x xor ⌊x/2^30⌋)·bf58476d1ce4e5b9₁₆; x ← (x xor ⌊x/2^27⌋)·94d049bb133111eb₁₆; x xor ⌊x/2^31⌋
//
// A grid comes from rows (sketch/learn/grid.go). A radius that is stated gives the step 2^⌈log₂ C⌉/2^15, C the length
// of the features of rows of that length, and for private moments 2^⌈log₂ C⌉/2^12.
//
// Bound. A bound above 0 is for private releases, on a grid of 2^12. A row of features with ‖z‖ > bound is multiplied
// by bound/‖z‖, and counts as D cuts if ‖z‖ > bound·(1 + 10^−6). While Σq² > (⌈bound/step⌉ + 2)², each q other than 0
// then moves one towards 0. Targets are cut to the range, and t is 2^7 times (y − middle)/(range·2^−13), rounded
// in the same way.
//
// Binary form: the eight bytes TSMOMENT; version 1, D, the number of classes, the number of targets and the folds (0, 1
// or 5) as uint32; step, low, high and bound as float64; in version 2, which a grid of 16 bits has, limit and the
// length of finer as uint32, and finer; all words, part by part; and 64-bit FNV-1a of everything before, as 8 bytes. A
// word w is v = 2w for w ≥ 0 and −2w − 1 otherwise, in the fewest bytes: seven bits each, lowest first, with the
// highest bit set in all but the last byte. Readers refuse anything else.
//
// Example: the rows (0.5, −1, 1.25) of class 0 and (3000, 0, 0.25) of class 1, with step 0.5 and 5 folds, have the
// integers (1, −2, 2) and (4096, 0, 0). They are in the folds 1 and 0, and have the words
//
//	1 0 1 -2 4 2 -4 4 1 0 1 -2 2 0 0 0
//	1 1 16777216 0 0 0 0 0 0 1 0 0 0 4096 0 0
//
// The first hash is 0b7d147bfc763a77₁₆. The binary form is
//
//	54534d4f4d454e540100000003000000020000000000000005000000000000000000e03f0000000000000000000000000000000000000000
//	0000000002028080801000000000000002000000804000000200020308040708020002030400000000000000000000000000000000000000
//	000000000000000000000000000000000000000000000000000000000000000081c5a279e7f9f2ee
//
// Example of a grid from rows: (0.5, −1, 0.0125) and (3, 0, 0.25) give step 0.001953125 and f = [0 2 4], the integers
// (256, −2048, 102) and (1536, 0, 2048), and without classes, targets and folds the words
//
//	2 0 2424832 -524288 4194304 3171840 -208896 4204708 1792 -2048 2150
//
// The binary form, of version 2, is
//
//	54534d4f4d454e540200000003000000000000000000000000000000000000000000603f0000000000000000000000000000000000000000
//	00000000ff7f00000300000000020404008080a802ffff3f8080800480988303ffbf19c8a28104801cff1fcc216bcbc922951b2d3e
