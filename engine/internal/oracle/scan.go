package oracle

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Scan is a step that scans all segments page by page, to the end.
type Scan struct {
	Table    string
	Index    string
	Segments int32 // 0: the request has no segments
	Page     Page
}

func (s Scan) input(segment int32, details bool) (in *dynamodb.ScanInput, complaint string) {
	e := &expressions{}
	in = &dynamodb.ScanInput{TableName: &s.Table, IndexName: optional(s.Index), ConsistentRead: optional(s.Page.Consistent)}
	if s.Segments > 0 {
		in.Segment, in.TotalSegments = &segment, &s.Segments
	}
	if details {
		in.Limit, in.Select, in.ReturnConsumedCapacity = s.Page.limit(), s.Page.Select, s.Page.Capacity
	}
	switch {
	case details && s.Page.Older:
		in.ScanFilter, in.ConditionalOperator, in.AttributesToGet = s.Page.Filter.older(), s.Page.Filter.operator(), heads(s.Page.Project)
		complaint = s.Page.Filter.olderComplaint()
	case details:
		in.FilterExpression = s.Page.Filter.write(e, "FilterExpression")
		in.ProjectionExpression = e.projection(s.Page.Project)
		complaint = e.spoil(s.Page.Spoil)
	}
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.names, e.values
	return in, complaint
}

func (s Scan) read(db Tables, segment int32) reader {
	return func(ctx context.Context, after Item, details bool) (*answer, error) {
		in, _ := s.input(segment, details)
		in.ExclusiveStartKey = after
		out, err := db.Scan(ctx, in)
		if err != nil {
			return nil, err
		}
		return &answer{out.Items, out.Count, out.ScannedCount, out.LastEvaluatedKey, out.ConsumedCapacity}, nil
	}
}

func (s Scan) expect(m *Model) (any, *Failure) {
	if s.Page.Spoil == zeroLimit {
		return nil, enveloped("Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1")
	}
	if _, complaint := s.input(0, true); complaint != "" {
		return nil, refuse(complaint)
	}
	src, f := m.source(s.Table, s.Index, &s.Page)
	if f != nil {
		return nil, f
	}
	if s.Page.After != nil && !src.fits(s.Page.After, nil) {
		return nil, refuse()
	}
	f = src.selectFailure()
	if f != nil && s.Page.After != nil && s.Segments > 1 {
		return nil, refuse() // for this reason, or because the key is in another segment
	}
	return nil, f
}

func (s Scan) check(ctx context.Context, p *player) *Problem {
	if _, f := s.expect(p.model); f != nil {
		_, err := s.read(p.db.Tables(), 0)(ctx, s.Page.After, true)
		return p.compareFailures(err, f)
	}
	src, _ := p.model.source(s.Table, s.Index, &s.Page)
	var all []Item
	var segments [][]Item
	for segment := range max(1, s.Segments) {
		rows, err := s.read(p.db.Tables(), segment).list(ctx)
		if err != nil {
			return problem("error", "list: %v", err)
		}
		segments = append(segments, rows)
		all = append(all, rows...)
	}
	if wrong := sameRows(all, src.table.entries(src.index)); wrong != nil {
		return wrong
	}
	if wrong := src.checkPartitions(all); wrong != nil {
		return wrong
	}
	places, wrong := s.places(ctx, p.db.Tables())
	if wrong != nil {
		return wrong
	}
	for i, rows := range segments {
		from, known := src.from(rows)
		if !known {
			continue // in another segment, or nowhere
		}
		src.scan = newSpread(places, i, len(segments))
		if from > 0 {
			src.scan.start = src.scan.place(rows[from-1])
		}
		if wrong := src.checkPages(ctx, s.read(p.db.Tables(), int32(i)), rows, from); wrong != nil {
			return wrong
		}
	}
	return nil
}

// partitions is the number of partitions of an on-demand table or index.
const partitions = 4

// A spread is the distribution of the rows of a scan over partitions.
type spread struct {
	places     map[string]int // of the rows
	start, end int            // where the scan starts and ends
}

// newSpread returns the spread of a segment. Partitions and segments are equal shares of
// the same space, so a segment may begin and end within a partition.
func newSpread(places map[string]int, segment, segments int) *spread {
	end := ((segment+1)*partitions + segments - 1) / segments
	return &spread{places: places, start: segment * partitions / segments, end: end - 1}
}

// place returns the partition of a row. All rows of a query are in one partition.
func (s *spread) place(row Item) int {
	if s == nil {
		return 0
	}
	return s.places[Literal(row)]
}

// places returns the partitions of all rows: a scan in as many segments has one
// partition in each.
func (s Scan) places(ctx context.Context, db Tables) (map[string]int, *Problem) {
	places := map[string]int{}
	for i := range partitions {
		whole := Scan{Table: s.Table, Index: s.Index, Segments: partitions}
		rows, err := whole.read(db, int32(i)).list(ctx)
		if err != nil {
			return nil, problem("error", "list: %v", err)
		}
		for _, row := range rows {
			places[Literal(row)] = i
		}
	}
	return places, nil
}

// checkPartitions checks that the rows of a partition are contiguous and in order.
func (s source) checkPartitions(rows []Item) *Problem {
	done := map[string]bool{}
	for i, row := range rows {
		partition := Literal(only(row, s.index.Hash...))
		if i > 0 && partition == Literal(only(rows[i-1], s.index.Hash...)) {
			if s.index.compareSort(rows[i-1], row) > 0 {
				return problem("order", "rows are not in order: %s", Literal(rows))
			}
			continue
		}
		if done[partition] {
			return problem("order", "partition %s comes in parts: %s", partition, Literal(rows))
		}
		done[partition] = true
	}
	return nil
}

// Compare is a step that compares the whole database with the model.
type Compare struct{}

func (s Compare) expect(*Model) (any, *Failure) { return nil, nil }

func (s Compare) check(ctx context.Context, p *player) *Problem {
	if wrong := p.play(ctx, ListTables{}); wrong != nil {
		return wrong
	}
	for _, name := range p.model.names() {
		steps := []Step{DescribeTable{Table: name}, Scan{Table: name}}
		for _, x := range p.model.tables[name].indexes {
			steps = append(steps, Scan{Table: name, Index: x.Name})
		}
		for _, step := range steps {
			if wrong := p.play(ctx, step); wrong != nil {
				return wrong
			}
		}
	}
	return nil
}
