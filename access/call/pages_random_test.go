package call_test

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	gocmp "github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// TestPagesAndAllAgreeWithASort reads random data in random ways and compares with a sort
// of all items.
func TestPagesAndAllAgreeWithASort(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			trial := newTrial(r)
			db := openNotesDB(t)
			putNotes(t, db.API(), trial.table, trial.notes...)
			door := access.API(db.API())
			if seed%10 == 0 {
				door = db.Client() // the SDK's own, which reads and writes JSON
			}
			trial.check(t, r, notesClient(&tap{API: door, cut: int32(r.IntN(12))}, trial.options...))
		})
	}
}

// A trial is random data and a query of it.
type trial struct {
	table   string
	pair    bool // through the index with two sort key attributes
	leads   []string
	notes   []note
	query   call.Query
	options []access.Option
}

func newTrial(r *rand.Rand) *trial {
	tables := []string{"Notes", "NotesN", "NotesB"}
	tr := &trial{table: tables[r.IntN(3)]}
	tr.pair = tr.table == "Notes" && r.IntN(2) == 0
	shards := 1 + r.IntN(5)
	for range shards {
		lead := ""
		if tr.table != "NotesN" && !tr.pair {
			lead = strings.Repeat("z", r.IntN(4))
		}
		tr.leads = append(tr.leads, lead)
	}
	seen := map[string]bool{}
	for range r.IntN(90) {
		n := tr.note(r, r.IntN(shards))
		if !seen[n.PK+" "+n.SK] {
			seen[n.PK+" "+n.SK] = true
			tr.notes = append(tr.notes, n)
		}
	}
	tr.makeQuery(r)
	if r.IntN(2) == 0 {
		tr.options = append(tr.options, access.WithCursorKey(make([]byte, 16)))
	}
	tr.options = append(tr.options, access.WithConcurrency(1+r.IntN(4)))
	return tr
}

func (tr *trial) note(r *rand.Rand, shard int) note {
	n := note{PK: fmt.Sprint("P", shard), Keep: r.IntN(3) > 0, Other: r.IntN(6) == 0}
	switch {
	case tr.pair: // the ranks are few: the same pair in several shards
		n.SK = fmt.Sprint(r.IntN(1000))
		n.Kind, n.Rank = string(rune('a'+r.IntN(3))), fmt.Sprint(r.IntN(40)-20)
	case tr.table == "NotesN": // neighbours that floats cannot tell apart, and fractions
		n.SK = []string{"-", ""}[r.IntN(2)] + []string{"1234567890123456789012345678901", "", "0."}[r.IntN(3)] + fmt.Sprint(1+10*r.IntN(6)+r.IntN(9))
	default:
		n.SK = tr.leads[shard] + "#" + strings.Repeat("x", r.IntN(3)) + fmt.Sprint(r.IntN(60))
	}
	return n
}

func (tr *trial) makeQuery(r *rand.Rand) {
	pattern := &access.Pattern{Name: "Trial", Table: tr.table, Keys: []string{"PK", "SK"}, Sort: []string{"SK"}}
	if tr.pair {
		pattern.Index, pattern.Sort, pattern.Keys = "Pair", []string{"kind", "rank"}, []string{"PK", "kind", "rank", "SK"}
	}
	tr.query = call.Query{Pattern: pattern, KeyCondition: "PK = :PK", Partition: []string{":PK"}, Descending: r.IntN(2) == 0}
	filtered := r.IntN(3) == 0
	for shard, lead := range tr.leads {
		values := access.Item{":PK": &types.AttributeValueMemberS{Value: fmt.Sprint("P", shard)}}
		if filtered {
			tr.query.Filter = "keep = :keep"
			values[":keep"] = &types.AttributeValueMemberBOOL{Value: true}
		}
		tr.query.Requests = append(tr.query.Requests, call.Request{Values: values, Lead: len(lead)})
	}
	if r.IntN(3) == 0 {
		tr.query.Limit = 1 + r.IntN(40)
	}
}

// want returns what the query should return, from the data alone.
func (tr *trial) want() []note {
	var want []note
	for _, n := range tr.notes {
		if !n.Other && (n.Keep || tr.query.Filter == "") {
			want = append(want, n)
		}
	}
	slices.SortStableFunc(want, func(a, b note) int {
		order := tr.order(a, b)
		if tr.query.Descending {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a.PK, b.PK))
	})
	return want
}

func (tr *trial) order(a, b note) int {
	rat := func(text string) *big.Rat { x, _ := new(big.Rat).SetString(text); return x }
	rest := func(n note) string { return n.SK[len(tr.leads[n.PK[1]-'0']):] }
	switch {
	case tr.pair:
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), rat(a.Rank).Cmp(rat(b.Rank)))
	case tr.table == "NotesN":
		return rat(a.SK).Cmp(rat(b.SK))
	}
	return cmp.Compare(rest(a), rest(b))
}

func (tr *trial) check(t *testing.T, r *rand.Rand, c *access.Client) {
	t.Helper()
	list := call.List(c, tr.query, decodeNote)
	want := tr.want()
	all, err := list.Limit(0).PageSize(r.IntN(8)).Slice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tr.same(t, "all", want, all)
	for _, size := range []int{0, 1, 2, 3, 1 + r.IntN(20), 1000} {
		got, sizes := pages(t, list.PageSize(size))
		if diff := gocmp.Diff(all, got, emptyIsNil); diff != "" {
			t.Errorf("pages of %d %v are not all: %s", size, sizes, diff)
		}
		for i, n := range sizes {
			if size > 0 && (n > size || n < size && i < len(sizes)-1) {
				t.Errorf("pages of %d have %v", size, sizes)
			}
		}
	}
	for _, limit := range []int{tr.query.Limit, 1 + r.IntN(100)} {
		expect := all
		if limit > 0 {
			expect = all[:min(limit, len(all))]
		}
		got, err := list.Limit(limit).PageSize(r.IntN(10)).Slice(t.Context())
		if diff := gocmp.Diff(expect, got, emptyIsNil); diff != "" || err != nil {
			t.Errorf("limit %d: %v %s", limit, err, diff)
		}
	}
	first, err := list.First(t.Context())
	if len(all) > 0 && (err != nil || first != all[0]) {
		t.Errorf("first is %+v %v, not %+v", first, err, all[0])
	}
}

var emptyIsNil = gocmp.Transformer("empty", func(n []note) []note { return append([]note(nil), n...) })

// same compares. DynamoDB does not say how items of a shard with one index key are ordered:
// they are put in the order of their ids on both sides, where they stand together.
func (tr *trial) same(t *testing.T, what string, want, got []note) {
	t.Helper()
	tidy := func(notes []note) []note {
		notes = slices.Clone(notes)
		for i := 0; tr.pair && i < len(notes); {
			end := i + 1
			for end < len(notes) && notes[end].PK == notes[i].PK && tr.order(notes[end], notes[i]) == 0 {
				end++
			}
			slices.SortFunc(notes[i:end], func(a, b note) int { return cmp.Compare(a.SK, b.SK) })
			i = end
		}
		return append([]note(nil), notes...)
	}
	if diff := gocmp.Diff(tidy(want), tidy(got)); diff != "" {
		t.Fatalf("%s: %s", what, diff)
	}
}
