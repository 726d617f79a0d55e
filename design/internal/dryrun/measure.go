package dryrun

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"

	"sortkey.dev/access"
	accessmigrate "sortkey.dev/access/migrate"
	"sortkey.dev/access/shape"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/migrate"
	described "sortkey.dev/design/internal/shape"
)

// Source is the endpoint that the plan is for. Only reads are sent.
type Source interface {
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
}

// How many items are read of a table, and from how many places.
const (
	mostSampled = 1000
	segments    = 10
)

// A Measure holds what the real items tell about a plan.
type Measure struct {
	Tables  []Table
	Items   map[string]exact.Number  // by entity of the new version
	Steps   map[string]migrate.Units // by step and part: fill User
	Refused []accessmigrate.Conflict // items that do not convert, with their keys and reasons
	NotRun  []string                 // parts that need a conversion in Go
}

// A Table says how much of a table was read.
type Table struct {
	Name string `json:"table"` // in DynamoDB
	Read int64  `json:"read"`
	Of   int64  `json:"items"`
}

// Run measures a plan: it reads up to 1,000 items of each table of the last version, gives them their new parts in memory, and
// multiplies what that takes by the number of items that there are. The name is that of a table in DynamoDB. The state row is no item.
func Run(ctx context.Context, source Source, name func(string) string, state access.StateRow, memory Memory, plan *migrate.Plan) (*Measure, error) {
	m := &measuring{
		Measure: &Measure{Items: map[string]exact.Number{}, Steps: map[string]migrate.Units{}},
		source:  source, name: name, state: state, memory: memory, plan: plan, of: map[string]exact.Number{}, scan: map[string]exact.Number{},
	}
	if err := tables(ctx, memory, plan); err != nil {
		return nil, err
	}
	for _, t := range plan.Matching.Old.Tables {
		if err := m.table(ctx, t.Name); err != nil {
			return nil, err
		}
	}
	return m.Measure, m.steps(ctx)
}

type measuring struct {
	*Measure
	source Source
	name   func(string) string
	state  access.StateRow
	memory Memory
	plan   *migrate.Plan
	of     map[string]exact.Number // how many items there are for each that was read, by table
	scan   map[string]exact.Number // the units of a consistent scan of a table of which only some items were read
}

// table reads a sample of a table into memory and counts its entities.
func (m *measuring) table(ctx context.Context, table string) error {
	items, whole, err := m.sample(ctx, table)
	if err != nil {
		return fmt.Errorf("read items of table %s: %w", m.name(table), err)
	}
	if table == m.state.Table {
		items = slices.DeleteFunc(items, m.isState)
	}
	total := int64(len(items))
	if !whole {
		n, err := Count(ctx, m.source, m.name(table))
		if err != nil {
			return err
		}
		total = max(total, n)
	}
	m.Tables = append(m.Tables, Table{Name: m.name(table), Read: int64(len(items)), Of: total})
	if len(items) == 0 {
		return nil
	}
	m.of[table] = exact.Ratio(total, int64(len(items)))
	if err := m.load(ctx, table, items); err != nil || whole {
		return err
	}
	out, err := m.memory.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(table)})
	if err != nil {
		return err
	}
	bytes := m.of[table].Times(aws.ToInt64(out.Table.TableSizeBytes))
	m.scan[table] = bytes.Over(4096).Add(exact.Ratio(total, 2*accessmigrate.PageItems)) // a page is rounded up, by half a unit on average
	return nil
}

// Count returns the number of items of a table as the endpoint keeps it. AWS counts every six hours.
func Count(ctx context.Context, source Source, table string) (int64, error) {
	out, err := source.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		return 0, err
	}
	return aws.ToInt64(out.Table.ItemCount), nil
}

func (m *measuring) isState(item access.Item) bool {
	for name, value := range m.state.Key() {
		if !reflect.DeepEqual(item[name], value) {
			return false
		}
	}
	return true
}

// sample reads items from every segment of a table, and reports whether these are all.
func (m *measuring) sample(ctx context.Context, table string) ([]access.Item, bool, error) {
	var items []access.Item
	whole := true
	for segment := range int32(segments) {
		var after access.Item
		for read := 0; read < mostSampled/segments; {
			out, err := m.source.Scan(ctx, &dynamodb.ScanInput{
				TableName: aws.String(m.name(table)), Segment: aws.Int32(segment), TotalSegments: aws.Int32(segments),
				Limit: aws.Int32(int32(mostSampled/segments - read)), ExclusiveStartKey: after,
			})
			if err != nil {
				return nil, false, err
			}
			items, read, after = append(items, out.Items...), read+len(out.Items), out.LastEvaluatedKey
			if len(after) == 0 {
				break
			}
		}
		whole = whole && len(after) == 0
	}
	return items, whole, nil
}

// load puts items into memory, and counts those of each entity.
func (m *measuring) load(ctx context.Context, table string, items []access.Item) error {
	reader, entities := m.reader(table)
	counts := map[string]int64{}
	for _, item := range items {
		if entity, wrong := reader.Entity(item); wrong == nil && entities[entity] != "" {
			counts[entities[entity]]++
		}
		_, err := m.memory.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: item})
		if refusal, refused := errors.AsType[smithy.APIError](err); refused {
			m.Refused = append(m.Refused, accessmigrate.Conflict{Table: table, Key: m.key(table, item), Reason: "an index would refuse it: " + refusal.ErrorMessage()})
			continue
		}
		if err != nil {
			return err
		}
	}
	for entity, n := range counts {
		m.Items[entity] = m.of[table].Times(n)
	}
	return nil
}

// reader returns what tells the items of a table of the last version apart, and the names of the entities in the new one.
func (m *measuring) reader(table string) (*shape.Reader, map[string]string) {
	names := map[string]string{}
	for _, t := range m.plan.Matching.Old.Tables {
		if t.Name != table {
			continue
		}
		for _, item := range t.Items {
			if pair := m.plan.Matching.EntityOfOld(item.Entity); pair != nil && pair.New != nil {
				names[item.Entity.LocalName()] = pair.New.Name
			}
		}
		return shape.NewReader(described.Of(m.plan.Matching.Old, t)), names
	}
	return nil, names
}

func (m *measuring) key(table string, item access.Item) access.Item {
	key := access.Item{}
	for _, t := range m.plan.Matching.Old.Tables {
		if t.Name != table {
			continue
		}
		for _, name := range []string{t.PK.Name, t.SK.Name} {
			if v, ok := item[name]; ok {
				key[name] = v
			}
		}
	}
	return key
}

// steps carries out the steps that go through items, in the order of the plan.
func (m *measuring) steps(ctx context.Context) error {
	for _, s := range m.plan.Steps {
		if s.Part == "" || m.without(s.Part) {
			continue
		}
		t, err := try(ctx, m.memory, m.plan, s.Step, s.Part)
		if err != nil {
			return fmt.Errorf("%s %s in memory: %w", s.Step, s.Part, err)
		}
		if s.Step == "fill" {
			m.Refused = append(m.Refused, t.Conflicts...)
		}
		ratio, known := m.of[m.tableOf(s.Part)]
		if !known {
			continue // nothing is there
		}
		units := migrate.Units{Items: ratio.Times(t.Seen), Reads: ratio.Mul(halves(t.Reads)), Writes: ratio.Mul(halves(t.Writes))}
		if scan, partly := m.scan[m.tableOf(s.Part)]; partly && !m.isCopy(s.Part) {
			units.Reads = scan
		}
		m.Steps[s.Step+" "+s.Part] = units
	}
	return nil
}

// without reports whether a part cannot be computed here, and notes it once.
func (m *measuring) without(part string) bool {
	for i := range m.plan.Parts {
		if p := &m.plan.Parts[i]; p.Name == part && needsGo(p) {
			if len(m.NotRun) == 0 || m.NotRun[len(m.NotRun)-1] != part {
				m.NotRun = append(m.NotRun, part)
			}
			return true
		}
	}
	return false
}

func (m *measuring) tableOf(part string) string {
	for i := range m.plan.Parts {
		if m.plan.Parts[i].Name == part {
			return m.plan.Parts[i].Table
		}
	}
	return ""
}

// isCopy reports whether a part is a copy of items, for which more is read than their table.
func (m *measuring) isCopy(part string) bool {
	return slices.ContainsFunc(m.plan.Parts, func(p accessmigrate.Part) bool { return p.Name == part && p.To != "" })
}

// halves returns consumed units, which are multiples of a half.
func halves(units float64) exact.Number { return exact.Ratio(int64(math.Round(units*2)), 2) }
