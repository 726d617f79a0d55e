package oracle

import (
	"context"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Bulk is a step that puts many small items, batch by batch, so that background jobs have
// several batches to process.
type Bulk struct {
	Table   string
	Items   int
	Seconds int // until they expire; 0: never
}

// batches returns the requests of the step.
func (s Bulk) batches(m *Model) (steps []Step) {
	t := m.tables[s.Table]
	if t == nil {
		return nil
	}
	var batch BatchWriteItem
	for i := range s.Items {
		it := Item{t.hash: bulkKey(t.types[t.hash], i), "a": S(strconv.Itoa(i % 3)), "b": N(strconv.Itoa(i)), "e": N(strconv.Itoa(i % 7)), "n": N("1")}
		if t.sort != "" {
			it[t.hash], it[t.sort] = bulkKey(t.types[t.hash], i%4), bulkKey(t.types[t.sort], i)
		}
		if s.Seconds > 0 {
			it["t"] = N(fmt.Sprint(m.now.Unix() + int64(s.Seconds)))
		}
		if batch.Writes = append(batch.Writes, BatchWrite{Table: s.Table, Put: it}); len(batch.Writes) == 25 || i == s.Items-1 {
			steps = append(steps, batch)
			batch = BatchWriteItem{}
		}
	}
	return steps
}

func bulkKey(kind string, i int) types.AttributeValue {
	switch kind {
	case "N":
		return N(strconv.Itoa(2000 + i))
	case "B":
		return B(fmt.Sprintf("bulk%04d", i))
	}
	return S(fmt.Sprintf("bulk%04d", i))
}

func (s Bulk) expect(m *Model) (any, *Failure) {
	for _, step := range s.batches(m) {
		step.expect(m)
	}
	return nil, nil
}

func (s Bulk) check(ctx context.Context, p *player) *Problem {
	for _, step := range s.batches(p.model) {
		if wrong := p.play(ctx, step); wrong != nil {
			return wrong
		}
	}
	return nil
}
