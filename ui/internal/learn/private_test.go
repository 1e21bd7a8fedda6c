package learn

import (
	"strings"
	"testing"
)

// Every row that was changed is told, also where no row could try the models.
func TestOutcomeCounts(t *testing.T) {
	score := new(float64)
	*score = 0.5
	for _, noisy := range []*float64{nil, score} {
		classes := strings.Join((&Outcome{Rows: 9, Odd: 2, Unusable: 1, Noisy: noisy, Plain: score}).Words(), " ")
		numbers := strings.Join((&Outcome{Rows: 9, Odd: 1, Cut: 3, IsNumber: true, Noisy: noisy, Plain: score}).Words(), " ")
		for want, words := range map[string]string{
			"2\u00a0rows had a label that is not among the public ones and counted as rows of zeros.": classes,
			"1\u00a0row had cells that do not fit the columns and counted as a row of zeros.":         classes,
			"1\u00a0row had no number to be predicted and counted as a row of zeros.":                 numbers,
			"3\u00a0rows had a number beyond the public range, which was cut to it.":                  numbers,
		} {
			if !strings.Contains(words, want) {
				t.Errorf("%q lacks %q", words, want)
			}
		}
	}
}
