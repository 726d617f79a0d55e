package marshal_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// attempt is an entity as generated code has it, and as a program without it would.
type attempt struct {
	AttemptID   string    `dynamodbav:"attempt_id"`
	CandidateID string    `dynamodbav:"candidate_id"`
	ProjectID   string    `dynamodbav:"project_id"`
	Status      shade     `dynamodbav:"status"`
	Note        *string   `dynamodbav:"note,omitempty"`
	Score       *int64    `dynamodbav:"score,omitempty"`
	Version     int64     `dynamodbav:"version"`
	StartedAt   time.Time `dynamodbav:"started_at"`
	Passed      bool      `dynamodbav:"passed"`
	Answers     []string  `dynamodbav:"answers"`
	Points      []int64   `dynamodbav:"points"`
	Tags        []string  `dynamodbav:"tags,stringset"`
}

// item encodes as generated code does: all values share one piece of memory.
func (a *attempt) item() (access.Item, error) {
	e := marshal.Encode("Attempt")
	slab := new(struct {
		s  [6]types.AttributeValueMemberS
		n  [2]types.AttributeValueMemberN
		l  [2]types.AttributeValueMemberL
		b  types.AttributeValueMemberBOOL
		ss types.AttributeValueMemberSS
	})
	item := make(access.Item, 12)
	slab.s[0].Value = a.AttemptID
	item["attempt_id"] = &slab.s[0]
	slab.s[1].Value = a.CandidateID
	item["candidate_id"] = &slab.s[1]
	slab.s[2].Value = a.ProjectID
	item["project_id"] = &slab.s[2]
	slab.s[3].Value = string(a.Status)
	item["status"] = &slab.s[3]
	if a.Note != nil {
		slab.s[4].Value = *a.Note
		item["note"] = &slab.s[4]
	}
	if a.Score != nil {
		slab.n[0].Value = e.Int(*a.Score)
		item["score"] = &slab.n[0]
	}
	slab.n[1].Value = e.Int(a.Version)
	item["version"] = &slab.n[1]
	slab.s[5].Value = e.Time("started_at", a.StartedAt)
	item["started_at"] = &slab.s[5]
	slab.b.Value = a.Passed
	item["passed"] = &slab.b
	slab.l[0].Value = marshal.TextElements(a.Answers)
	item["answers"] = &slab.l[0]
	slab.l[1].Value = marshal.IntElements(a.Points)
	item["points"] = &slab.l[1]
	if len(a.Tags) > 0 {
		slab.ss.Value = a.Tags
		item["tags"] = &slab.ss
	}
	return item, e.Err()
}

func readAttempt(item access.Item) (attempt, error) {
	d := marshal.Decode("Attempt", item)
	a := attempt{
		AttemptID:   d.String("attempt_id"),
		CandidateID: d.String("candidate_id"),
		ProjectID:   d.String("project_id"),
		Status:      marshal.DecodeText[shade](&d, "status"),
		Note:        d.OptString("note"),
		Score:       d.OptInt("score"),
		Version:     d.Int("version"),
		StartedAt:   d.Time("started_at"),
		Passed:      d.Bool("passed"),
		Answers:     d.StringList("answers"),
		Points:      d.IntList("points"),
		Tags:        d.Strings("tags"),
	}
	return a, d.Err()
}

func someAttempt() attempt {
	note, score := "resumed once", int64(4200)
	return attempt{
		AttemptID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", CandidateID: "01ARZ3NDEKTSV4RRFFQ69G5FAW", ProjectID: "01ARZ3NDEKTSV4RRFFQ69G5FAX", Status: dark,
		Note: &note, Score: &score, Version: 1700, StartedAt: time.Date(2026, 2, 17, 10, 30, 5, 123e6, time.UTC), Passed: true,
		Answers: []string{"a", "b", "c", "d"}, Points: []int64{100, 200, 300, 400}, Tags: []string{"math", "retry"},
	}
}

func TestMarshallingTakesAThirdOfTheAllocations(t *testing.T) {
	a := someAttempt()
	item, err := a.item()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readAttempt(item); err != nil || !cmp.Equal(got, a) {
		t.Fatalf("%v %s", err, cmp.Diff(a, got))
	}
	byReflection, err := attributevalue.MarshalMap(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range []struct {
		what             string
		ours, reflection func()
	}{
		{"write", func() { _, _ = a.item() }, func() { _, _ = attributevalue.MarshalMap(a) }},
		{"read", func() { _, _ = readAttempt(item) }, func() {
			var b attempt
			_ = attributevalue.UnmarshalMap(byReflection, &b)
		}},
	} {
		ours, reflection := testing.AllocsPerRun(100, pair.ours), testing.AllocsPerRun(100, pair.reflection)
		t.Logf("%s: %v allocations, by reflection %v", pair.what, ours, reflection)
		if 3*ours > reflection {
			t.Errorf("to %s an item takes %v allocations; by reflection %v", pair.what, ours, reflection)
		}
	}
}

func TestReadingScalarsAllocatesNothing(t *testing.T) {
	a := someAttempt()
	item, _ := a.item()
	if n := testing.AllocsPerRun(100, func() {
		d := marshal.Decode("Attempt", item)
		d.String("attempt_id")
		marshal.DecodeText[shade](&d, "status")
		d.Int("version")
		d.Float("version")
		d.Decimal("version")
		d.Time("started_at")
		d.Unix("version")
		d.Bool("passed")
		d.Strings("tags")
		d.String("missing")
		d.OptInt("missing")
	}); n != 0 {
		t.Errorf("reading scalars takes %v allocations", n)
	}
}

func BenchmarkWriteItem(b *testing.B) {
	a := someAttempt()
	b.Run("access", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = a.item()
		}
	})
	b.Run("attributevalue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = attributevalue.MarshalMap(a)
		}
	})
}

func BenchmarkReadItem(b *testing.B) {
	a := someAttempt()
	item, _ := a.item()
	byReflection, _ := attributevalue.MarshalMap(a)
	b.Run("access", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = readAttempt(item)
		}
	})
	b.Run("attributevalue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var into attempt
			_ = attributevalue.UnmarshalMap(byReflection, &into)
		}
	})
}

func BenchmarkKeyText(b *testing.B) {
	b.ReportAllocs()
	at := time.Date(2026, 2, 17, 10, 30, 5, 123e6, time.UTC)
	for b.Loop() {
		var k marshal.KeyText
		_ = k.Of("Attempt").Lit("ATTEMPT#").Time("started_at", at).Lit("#").Hole("attempt_id", "01ARZ3NDEKTSV4RRFFQ69G5FAV").Sort()
	}
}

func BenchmarkParseTime(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = marshal.ParseTime("2026-02-17T10:30:05.123Z")
	}
}
