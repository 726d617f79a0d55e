package migrate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// A digest is the sum of the hashes of items, which does not depend on their order.
type digest [2]uint64

func (d *digest) add(other digest) {
	var carry uint64
	d[0], carry = bits.Add64(d[0], other[0], 0)
	d[1], _ = bits.Add64(d[1], other[1], carry)
}

const bucketCount = 4096

// buckets are the sums of originals, as their copies must be, and of copies, by their keys.
type buckets [2][bucketCount]digest

// The sides of a comparison.
const (
	originals = iota
	copies
)

// A print holds what a comparison keeps of an item: the hashes of its key and of the whole item.
type print struct {
	key  uint64
	item digest
}

func (p print) bucket() int { return int(p.key % bucketCount) }

// printOf returns the print of a copy with a key.
func printOf(key, copied access.Item) print {
	i := sha256.Sum256(appendItem(nil, copied))
	return print{hashOf(key), digest{binary.LittleEndian.Uint64(i[:]), binary.LittleEndian.Uint64(i[8:])}}
}

func hashOf(key access.Item) uint64 {
	h := sha256.Sum256(appendItem(nil, key))
	return binary.LittleEndian.Uint64(h[:])
}

// appendItem appends a text that is the same for equal items only. Sets have no order.
func appendItem(b []byte, item access.Item) []byte {
	names := make([]string, 0, len(item))
	for name := range item {
		names = append(names, name)
	}
	slices.Sort(names)
	b = binary.AppendUvarint(b, uint64(len(names)))
	for _, name := range names {
		b = appendValue(appendText(b, name), item[name])
	}
	return b
}

func appendText[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendValue(b []byte, v types.AttributeValue) []byte {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return appendText(append(b, 's'), v.Value)
	case *types.AttributeValueMemberN:
		return appendText(append(b, 'n'), v.Value)
	case *types.AttributeValueMemberB:
		return appendText(append(b, 'b'), v.Value)
	case *types.AttributeValueMemberBOOL:
		if v.Value {
			return append(b, 't')
		}
		return append(b, 'f')
	case *types.AttributeValueMemberM:
		return appendItem(append(b, 'm'), v.Value)
	case *types.AttributeValueMemberL:
		b = binary.AppendUvarint(append(b, 'l'), uint64(len(v.Value)))
		for _, one := range v.Value {
			b = appendValue(b, one)
		}
		return b
	case *types.AttributeValueMemberSS:
		return appendSet(append(b, 'S'), v.Value)
	case *types.AttributeValueMemberNS:
		return appendSet(append(b, 'N'), v.Value)
	case *types.AttributeValueMemberBS:
		texts := make([]string, len(v.Value))
		for i, one := range v.Value {
			texts[i] = string(one)
		}
		return appendSet(append(b, 'B'), texts)
	}
	return append(b, '0')
}

func appendSet(b []byte, all []string) []byte {
	sorted := slices.Sorted(slices.Values(all))
	b = binary.AppendUvarint(b, uint64(len(sorted)))
	for _, one := range sorted {
		b = appendText(b, one)
	}
	return b
}

// sums adds up the items of a pass, and keeps the sums of each segment in a row of the control table.
type sums struct {
	run    *run
	part   *part
	ledger ledger
	step   string
}

const sumRows = "#sums"

func (r *run) sums(step string, p *part, at place) *sums {
	return &sums{run: r, part: p, ledger: ledger{run: r, table: at.control, pk: at.prefix}, step: at.step(step, p)}
}

// prints returns what a comparison keeps of an item of a table, by side; nil: nothing. The error says why the item
// can have no copy.
func (s *sums) prints(table string, item access.Item) (all [2]*print, err error) {
	p, now := s.part, s.run.now()
	if table == p.Table && !expired(item, p.In.Old.TTL, now) {
		is, err := p.isOriginal(item)
		if err != nil {
			return all, fmt.Errorf("the item is of no entity: %w", err)
		}
		if is {
			copied, err := p.Move.Forth(item)
			if err != nil {
				return all, err
			}
			all[originals] = new(printOf(p.Into.New.KeyOf(copied), copied))
		}
	}
	if table == p.To && p.isCopy(item) && !expired(item, p.Into.New.TTL, now) {
		all[copies] = new(printOf(p.Into.New.KeyOf(item), item))
	}
	return all, nil
}

// page adds up the items of a page.
func (s *sums) page(ctx context.Context, table string, items []access.Item, to *buckets) (counts, error) {
	var total counts
	for _, item := range items {
		prints, err := s.prints(table, item)
		if err != nil {
			total.seen++
			total.conflicts++
			if err := s.run.conflict(ctx, s.part, item, err.Error()); err != nil {
				return total, err
			}
			continue
		}
		for side, one := range prints {
			if one != nil {
				to[side][one.bucket()].add(one.item)
			}
		}
		if prints[originals] != nil || table != s.part.Table && prints[copies] != nil {
			total.seen++
		}
	}
	return total, nil
}

func (s *sums) key(segment int) string { return fmt.Sprintf("%s#%04d", s.step, segment) }

// save writes the sums of a segment. Empty buckets are left out.
func (s *sums) save(ctx context.Context, segment int, all *buckets) error {
	columns := access.Item{}
	for side, name := range []string{"originals", "copies"} {
		b := []byte{}
		for i, d := range all[side] {
			if d != (digest{}) {
				b = binary.LittleEndian.AppendUint16(b, uint16(i))
				b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, d[0]), d[1])
			}
		}
		columns[name] = &types.AttributeValueMemberB{Value: b}
	}
	return s.ledger.put(ctx, sumRows, s.key(segment), columns)
}

// differing returns the buckets in which the sums of both sides differ.
func (s *sums) differing(ctx context.Context) ([]int, error) {
	total := &buckets{}
	err := s.ledger.rows(ctx, sumRows, s.step+"#", func(item access.Item) {
		for side, name := range []string{"originals", "copies"} {
			v, _ := item[name].(*types.AttributeValueMemberB)
			for b := v.Value; len(b) >= 18; b = b[18:] {
				i := binary.LittleEndian.Uint16(b) % bucketCount
				total[side][i].add(digest{binary.LittleEndian.Uint64(b[2:]), binary.LittleEndian.Uint64(b[10:])})
			}
		}
	})
	var all []int
	for i := range bucketCount {
		if total[originals][i] != total[copies][i] {
			all = append(all, i)
		}
	}
	return all, err
}

// rows calls f for the rows of a partition whose sort keys begin with a text.
func (l ledger) rows(ctx context.Context, partition, begins string, f func(access.Item)) error {
	return l.query(ctx, &dynamodb.QueryInput{
		TableName: &l.table, ConsistentRead: new(true), KeyConditionExpression: new("pk = :pk AND begins_with(sk, :sk)"),
		ExpressionAttributeValues: access.Item{":pk": marshal.S(l.pk + partition), ":sk": marshal.S(begins)},
	}, f)
}
