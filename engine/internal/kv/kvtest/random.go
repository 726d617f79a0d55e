package kvtest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/kv"
)

// model is the slow, obvious store that testRandom compares with.
type model struct {
	data map[string]string
	log  map[uint32][]string // "sequence text", as readLog returns them
	last map[uint32]uint64
}

func (m *model) scan(lo, hi string, reverse bool) (texts []string) {
	for _, k := range slices.Sorted(maps.Keys(m.data)) {
		if k >= lo && k < hi {
			texts = append(texts, k+"="+m.data[k])
		}
	}
	if reverse {
		slices.Reverse(texts)
	}
	return texts
}

// testRandom executes the same random operations on the store and on the model.
func testRandom(t *testing.T, s kv.Store) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	p := player{
		t: t, s: s, rnd: rand.New(rand.NewPCG(seed, 0)),
		m: model{map[string]string{}, map[uint32][]string{}, map[uint32]uint64{}},
	}
	for p.step = range 1500 {
		switch p.rnd.IntN(10) {
		case 0, 1, 2, 3:
			p.update()
		case 4:
			p.deleteSpan()
		case 5:
			p.trim()
		case 6:
			p.readLog()
		default:
			p.read()
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

type player struct {
	t    *testing.T
	s    kv.Store
	rnd  *rand.Rand
	m    model
	step int
}

// key picks one of few keys, so that operations collide.
func (p *player) key() string { return fmt.Sprintf("%02d", p.rnd.IntN(60)) }

// span picks a range that is not too wide and may be empty.
func (p *player) span() (lo, hi string) {
	n := p.rnd.IntN(60)
	return fmt.Sprintf("%02d", n), fmt.Sprintf("%02d", n-1+p.rnd.IntN(8))
}

func (p *player) update() {
	next := model{maps.Clone(p.m.data), maps.Clone(p.m.log), maps.Clone(p.m.last)}
	var failure error
	if p.rnd.IntN(5) == 0 {
		failure = errors.New("condition failed")
	}
	err := p.s.Update(p.t.Context(), keys("any"), func(tx kv.Txn) error {
		p.compare(tx, "inside an update")
		for range p.rnd.IntN(5) {
			k, v, shard := p.key(), fmt.Sprint(p.rnd.IntN(1000)), uint32(p.rnd.IntN(2))
			switch p.rnd.IntN(3) {
			case 0:
				tx.Delete(key(k))
				delete(next.data, k)
			case 1:
				tx.Log(shard, []byte(v))
				next.last[shard]++
				next.log[shard] = append(slices.Clip(next.log[shard]), fmt.Sprintf("%d %s", next.last[shard], v))
			default:
				tx.Set(key(k), []byte(v))
				next.data[k] = v
			}
		}
		return failure
	})
	if err != failure {
		p.t.Errorf("step %d: update: %v, want %v", p.step, err, failure)
	}
	if failure == nil {
		p.m = next
	}
}

func (p *player) deleteSpan() {
	lo, hi := p.span()
	if err := p.s.DeleteSpan(p.t.Context(), key(lo), key(hi)); err != nil {
		p.t.Errorf("step %d: delete span: %v", p.step, err)
	}
	maps.DeleteFunc(p.m.data, func(k, _ string) bool { return k >= lo && k < hi })
}

func (p *player) trim() {
	shard := uint32(p.rnd.IntN(2))
	n := p.rnd.IntN(len(p.m.log[shard]) + 1)
	below := p.m.last[shard] - uint64(len(p.m.log[shard])) + uint64(n) + 1
	if err := p.s.TrimLog(p.t.Context(), shard, below); err != nil {
		p.t.Errorf("step %d: trim: %v", p.step, err)
	}
	p.m.log[shard] = p.m.log[shard][n:]
}

func (p *player) readLog() {
	shard := uint32(p.rnd.IntN(2))
	want := p.m.log[shard]
	if len(want) == 0 {
		want = nil
	}
	if diff := cmp.Diff(want, readLog(p.t, p.s, shard, 1)); diff != "" {
		p.t.Errorf("step %d: log of shard %d (-want +got):\n%s", p.step, shard, diff)
	}
	if got := horizon(p.t, p.s, shard); got != p.m.last[shard] {
		p.t.Errorf("step %d: horizon of shard %d is %d, want %d", p.step, shard, got, p.m.last[shard])
	}
}

func (p *player) read() {
	c := kv.Consistency(p.rnd.IntN(2))
	err := p.s.View(p.t.Context(), c, func(r kv.Reader) error {
		p.compare(r, "in a view")
		return nil
	})
	if err != nil {
		p.t.Errorf("step %d: view: %v", p.step, err)
	}
	p.compareGet(storeGetter{p.t.Context(), p.s, c}, "with Store.Get")
}

func (p *player) compare(r kv.Reader, where string) {
	p.compareGet(r, where)
	lo, hi := p.span()
	reverse := p.rnd.IntN(2) == 0
	var got []string
	err := r.Scan(key(lo), key(hi), kv.ScanOptions{Reverse: reverse}, func(k, v []byte) bool {
		got = append(got, string(k[1:])+"="+string(v))
		return true
	})
	if diff := cmp.Diff(p.m.scan(lo, hi, reverse), got); diff != "" || err != nil {
		p.t.Errorf("step %d: scan [%s, %s) %s: error %v (-want +got):\n%s", p.step, lo, hi, where, err, diff)
	}
}

func (p *player) compareGet(r interface {
	Get([]byte, func([]byte) error) (bool, error)
}, where string) {
	k := p.key()
	want, ok := p.m.data[k]
	if !ok {
		want = "absent"
	}
	if got := get(p.t, r, k); got != want {
		p.t.Errorf("step %d: get %s %s = %q, want %q", p.step, k, where, got, want)
	}
}
