package rowformat

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func str(s string) dynamo.Value {
	var e dynamo.Encoder
	e.String(s)
	return e.Value(0)
}

func num(s string) dynamo.Value {
	var e dynamo.Encoder
	if err := e.Number([]byte(s)); err != nil {
		panic(err)
	}
	return e.Value(0)
}

// A key is a sort key of two components, to check that the first decides and
// that no component runs into the next.
type key struct {
	text   string
	number int64
}

func (k key) bytes() []byte {
	return AppendComponent(AppendComponent(nil, str(k.text)), num(fmt.Sprint(k.number)))
}

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.number, b.number))
}

func FuzzComponentsKeepOrder(f *testing.F) {
	f.Add("", int64(0), "\x00", int64(1))
	f.Add("a", int64(-5), "a\x00", int64(-5))
	f.Add("a\x00\x01", int64(7), "a\x00\xff", int64(-7))
	f.Add("ab", int64(10), "ab", int64(9))
	f.Fuzz(func(t *testing.T, textA string, numberA int64, textB string, numberB int64) {
		a, b := key{textA, numberA}, key{textB, numberB}
		if got, want := bytes.Compare(a.bytes(), b.bytes()), compareKeys(a, b); got != want {
			t.Errorf("%+v against %+v: %d, want %d", a, b, got, want)
		}
	})
}

// TestPrefixSpan checks that the span of begins_with holds exactly the values
// that begin with the prefix.
func TestPrefixSpan(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	random := func(n int) string {
		alphabet := []byte{0, 1, 'a', 'b', 0xFE, 0xFF}
		b := make([]byte, rnd.IntN(n))
		for i := range b {
			b[i] = alphabet[rnd.IntN(len(alphabet))]
		}
		return string(b)
	}
	inside := 0
	for range 20000 {
		prefix, value := random(3), random(6)
		base := []byte{dataSpace, 9}
		lo := AppendComponentPrefix(bytes.Clone(base), str(prefix))
		hi := Successor(lo)
		k := AppendComponent(bytes.Clone(base), str(value))
		got := bytes.Compare(k, lo) >= 0 && bytes.Compare(k, hi) < 0
		want := len(value) >= len(prefix) && value[:len(prefix)] == prefix
		if got != want {
			t.Fatalf("%q begins with %q: in span %v, want %v", value, prefix, got, want)
		}
		if got {
			inside++
		}
	}
	if inside == 0 {
		t.Fatal("no value began with its prefix: the test proves nothing")
	}
}

// TestSegmentsCoverEverythingOnce checks that each partition is in exactly one
// segment and that the segments are of about equal size.
func TestSegmentsCoverEverythingOnce(t *testing.T) {
	p := Path{Table: 7, Index: 2}
	const total, rows = 7, 7000
	var counts [total]int
	for i := range rows {
		k := AppendPartition(nil, p, []dynamo.Value{str(fmt.Sprint("partition ", i))})
		found := 0
		for segment := range total {
			lo, hi := SegmentSpan(p, segment, total)
			if bytes.Compare(k, lo) >= 0 && bytes.Compare(k, hi) < 0 {
				counts[segment]++
				found++
			}
		}
		if found != 1 {
			t.Fatalf("partition %d is in %d segments", i, found)
		}
	}
	for segment, n := range counts {
		if n < rows/total*8/10 || n > rows/total*12/10 {
			t.Errorf("segment %d has %d of %d rows", segment, n, rows)
		}
	}
}

func TestPathsAreDisjoint(t *testing.T) {
	lo, hi := TableSpan(3)
	for _, p := range []Path{{3, 0}, {3, 1}, {3, 65535}} {
		if k := AppendPath(nil, p); bytes.Compare(k, lo) < 0 || bytes.Compare(k, hi) >= 0 {
			t.Errorf("path %v is outside its table", p)
		}
	}
	for _, p := range []Path{{2, 65535}, {4, 0}} {
		if k := AppendPath(nil, p); bytes.Compare(k, lo) >= 0 && bytes.Compare(k, hi) < 0 {
			t.Errorf("path %v is inside table 3", p)
		}
	}
}

// TestGoldenBytes pins the format: a change of these bytes needs a new version.
func TestGoldenBytes(t *testing.T) {
	k := AppendPartition(nil, Path{Table: 1, Index: 0}, []dynamo.Value{str("user#1")})
	k = AppendComponent(k, num("-12.5"))
	k = AppendComponent(k, str("a\x00b"))
	const wantKey = "02000000010000" + "4d954369" + "757365722331" + "0001" + "7f7ce69b" + "6100ff62" + "0001"
	if got := fmt.Sprintf("%x", k); got != wantKey {
		t.Errorf("key %s,\nwant %s", got, wantKey)
	}
	var e dynamo.Encoder
	e.OpenItem()
	e.Name("pk")
	e.String("x")
	item, err := e.CloseItem()
	if err != nil {
		t.Fatal(err)
	}
	const wantRow = "01" + "03" + "01000000" + "02706b" + "010178"
	if got := fmt.Sprintf("%x", AppendRow(nil, item.Size(), item)); got != wantRow {
		t.Errorf("row %s,\nwant %s", got, wantRow)
	}
	const wantEntry = "01" + "07" + "02" + "abcd" + "01000000" + "02706b" + "010178"
	if got := fmt.Sprintf("%x", AppendVectorRow(nil, 7, []byte{0xab, 0xcd}, item)); got != wantEntry {
		t.Errorf("entry of a vector index %s,\nwant %s", got, wantEntry)
	}
}

func TestParseVectorRow(t *testing.T) {
	item, vector := dynamo.Item{0, 0, 0, 0}, bytes.Repeat([]byte{1, 2, 3, 4}, 100)
	row := AppendVectorRow(nil, 70000, vector, item)
	size, gotVector, gotItem, err := ParseVectorRow(row)
	if err != nil || size != 70000 || !bytes.Equal(gotVector, vector) || !bytes.Equal(gotItem, item) {
		t.Errorf("got %d, %x, %x, %v", size, gotVector, gotItem, err)
	}
	for _, bad := range [][]byte{nil, {1, 1, 0, 0, 0, 0}, {2, 1, 0, 0, 0, 0, 0}, {1, 1, 0xff, 0xff, 0xff, 0xff}, {1, 1, 1, 9, 0, 0, 0}, {1, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}} {
		if _, _, _, err := ParseVectorRow(bad); !errors.Is(err, ErrCorrupt) {
			t.Errorf("row %x: %v, want ErrCorrupt", bad, err)
		}
	}
}

func TestParseRow(t *testing.T) {
	item := dynamo.Item{0, 0, 0, 0}
	row := AppendRow(nil, 70000, item)
	size, got, err := ParseRow(row)
	if err != nil || size != 70000 || !bytes.Equal(got, item) {
		t.Errorf("got %d, %x, %v", size, got, err)
	}
	for _, bad := range [][]byte{nil, {1}, {2, 1, 0, 0, 0, 0}, {1, 0x80}, {1, 1, 0, 0}} {
		if _, _, err := ParseRow(bad); !errors.Is(err, ErrCorrupt) {
			t.Errorf("row %x: %v, want ErrCorrupt", bad, err)
		}
	}
}

func TestNumberKeysSortByValue(t *testing.T) {
	texts := []string{"-9.99E125", "-1E30", "-12.51", "-12.5", "-1E-130", "0", "1E-130", "0.1", "2", "10", "1e38"}
	for i := 1; i < len(texts); i++ {
		a, b := AppendComponent(nil, num(texts[i-1])), AppendComponent(nil, num(texts[i]))
		if bytes.Compare(a, b) >= 0 {
			t.Errorf("%s does not sort before %s", texts[i-1], texts[i])
		}
		x, _ := new(big.Rat).SetString(texts[i-1])
		y, _ := new(big.Rat).SetString(texts[i])
		if x.Cmp(y) >= 0 {
			t.Fatalf("the test itself is wrong about %s and %s", texts[i-1], texts[i])
		}
	}
}

// Shares have the boundaries of segments: a row is in the share of the segment that
// holds it, and a segment of another division covers the shares of its ends.
func TestSharesMatchSegments(t *testing.T) {
	path := Path{Table: 7, Index: 2}
	for _, count := range []int{1, 2, 3, 4, 5, 7, 40} {
		for i := range 500 {
			key := AppendPartition(nil, path, []dynamo.Value{str(fmt.Sprint(i))})
			share := Share(key, count)
			lo, hi := SegmentSpan(path, share, count)
			if bytes.Compare(key, lo) < 0 || bytes.Compare(key, hi) >= 0 {
				t.Fatalf("row %d is not in share %d of %d", i, share, count)
			}
		}
		for _, total := range []int{1, 2, 3, 4, 6, 1000} {
			for segment := range total {
				lo, hi := SegmentSpan(path, segment, total)
				first, last := Share(lo, count), LastShare(hi, count)
				if want := segment * count / total; first != want {
					t.Errorf("segment %d of %d begins in share %d of %d, want %d", segment, total, first, count, want)
				}
				if want := ((segment+1)*count+total-1)/total - 1; last != want {
					t.Errorf("segment %d of %d ends in share %d of %d, want %d", segment, total, last, count, want)
				}
			}
		}
	}
}
