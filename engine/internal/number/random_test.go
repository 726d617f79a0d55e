package number_test

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"sortkey.dev/engine/internal/number"
	"sortkey.dev/internal/effort"
)

// randomRounds returns the number of random cases that a test plays.
func randomRounds() int { return effort.Rounds(20_000) }

// newRandom logs its seed; put a logged seed here to reproduce a failure.
func newRandom(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// sameError reports whether got is the error want, a *SyntaxError with the same text included.
func sameError(got, want error) bool {
	var g, w *number.SyntaxError
	if errors.As(got, &g) && errors.As(want, &w) {
		return g.Text == w.Text
	}
	return errors.Is(got, want)
}

func checkCanonical(t testing.TB, text string) {
	t.Helper()
	want, wantErr := oracleCanonical(text)
	got, err := number.AppendCanonical(nil, []byte(text))
	if string(got) != want || !sameError(err, wantErr) {
		t.Fatalf("canonical form of %q: got %q, %v; want %q, %v", text, got, err, want, wantErr)
	}
	if err != nil {
		return
	}
	again, err := number.AppendCanonical(nil, got)
	if err != nil || !bytes.Equal(again, got) {
		t.Fatalf("canonical form of the canonical %s: got %s, %v", got, again, err)
	}
	if size := number.Size(got); size != oracleSize(want) {
		t.Fatalf("Size(%s) = %d, want %d", got, size, oracleSize(want))
	}
}

// checkPair checks comparison, arithmetic and keys of two canonical numbers.
func checkPair(t testing.TB, a, b string) {
	t.Helper()
	x, y := scaled(t, a), scaled(t, b)
	order := x.Cmp(y)
	if got := number.Compare([]byte(a), []byte(b)); got != order {
		t.Fatalf("Compare(%s, %s) = %d, want %d", a, b, got, order)
	}
	want, wantErr := oracleScaled(new(big.Int).Add(x, y))
	got, err := number.AppendAdd(nil, []byte(a), []byte(b))
	if string(got) != want || !sameError(err, wantErr) {
		t.Fatalf("%s + %s: got %s, %v; want %s, %v", a, b, got, err, want, wantErr)
	}
	want, wantErr = oracleScaled(new(big.Int).Sub(x, y))
	got, err = number.AppendSub(nil, []byte(a), []byte(b))
	if string(got) != want || !sameError(err, wantErr) {
		t.Fatalf("%s - %s: got %s, %v; want %s, %v", a, b, got, err, want, wantErr)
	}
	keyA, keyB := number.AppendKey(nil, []byte(a)), number.AppendKey(nil, []byte(b))
	if got := bytes.Compare(keyA, keyB); got != order {
		t.Fatalf("keys %x of %s and %x of %s compare %d, want %d", keyA, a, keyB, b, got, order)
	}
	if order != 0 && bytes.HasPrefix(keyB, keyA) {
		t.Fatalf("key %x of %s is a prefix of key %x of %s: it is not self-terminating", keyA, a, keyB, b)
	}
	if len(keyA) > 21 {
		t.Fatalf("key of %s has %d bytes, want at most 21", a, len(keyA))
	}
	canonical, rest, err := number.DecodeKey(nil, append(keyA, keyB...))
	if err != nil || string(canonical) != a || !bytes.Equal(rest, keyB) {
		t.Fatalf("decoding key %x of %s gave %s, rest %x, error %v", keyA, a, canonical, rest, err)
	}
}

func TestRandomCanonicalAgainstBigRat(t *testing.T) {
	rnd := newRandom(t)
	outcomes := map[error]int{}
	for range randomRounds() {
		text := randomNumber(rnd)
		checkCanonical(t, text)
		_, err := oracleCanonical(text)
		outcomes[err]++
	}
	requireAll(t, outcomes)
}

func TestRandomPairsAgainstBigInt(t *testing.T) {
	rnd := newRandom(t)
	outcomes := map[error]int{}
	for range randomRounds() {
		a := randomCanonical(rnd)
		b := randomCanonical(rnd)
		if rnd.IntN(2) == 0 {
			b = randomNeighbour(rnd, a)
		}
		checkPair(t, a, b)
		_, err := number.AppendAdd(nil, []byte(a), []byte(b))
		outcomes[err]++
	}
	requireAll(t, outcomes)
}

// requireAll fails if the random numbers did not reach one of the outcomes.
func requireAll(t *testing.T, outcomes map[error]int) {
	t.Helper()
	for _, err := range []error{nil, number.ErrOverflow, number.ErrUnderflow, number.ErrPrecision} {
		if outcomes[err] == 0 {
			t.Errorf("no random number had the outcome %v", err)
		}
	}
	t.Logf("outcomes: %v", outcomes)
}
