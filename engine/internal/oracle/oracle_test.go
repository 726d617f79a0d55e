package oracle

import (
	"fmt"
	"go/parser"
	"strings"
	"testing"
	"time"
)

func TestGenerateIsDeterministic(t *testing.T) {
	first, again, other := Literal(Generate(1, 200)), Literal(Generate(1, 200)), Literal(Generate(2, 200))
	if first != again {
		t.Error("one seed made two sequences")
	}
	if first == other {
		t.Error("two seeds made one sequence")
	}
}

// TestGenerateCoversAllSteps checks that every kind of step is generated,
// most of them succeed, and the important ones fail now and then.
func TestGenerateCoversAllSteps(t *testing.T) {
	done, failed := map[string]int{}, map[string]int{}
	for seed := range uint64(25) {
		m := newModel()
		for _, s := range Generate(seed, 400) {
			kind := fmt.Sprintf("%T", s)
			if _, f := s.expect(m); f != nil {
				failed[kind]++
			} else {
				done[kind]++
			}
			m.expire()
		}
	}
	for _, s := range []Step{
		CreateTable{}, AddIndex{}, DropIndex{}, SetStream{}, SetExpiry{}, PutItem{}, UpdateItem{}, DeleteItem{},
		GetItem{}, BatchGetItem{}, BatchWriteItem{}, TransactWriteItems{}, TransactGetItems{}, TransactStatements{}, Query{}, Scan{},
	} {
		kind := fmt.Sprintf("%T", s)
		if done[kind] < 5 || failed[kind] == 0 || failed[kind] > 2*done[kind] {
			t.Errorf("%s succeeds %d times and fails %d times", kind, done[kind], failed[kind])
		}
	}
	for _, s := range []Step{Advance{}, Bulk{}, Compare{}, DeleteTable{}, DescribeTable{}, Interleave{}, ReadStreams{}, Restart{}, SetProtection{}, SetTag{}} {
		if kind := fmt.Sprintf("%T", s); done[kind] < 5 {
			t.Errorf("%s comes %d times", kind, done[kind])
		}
	}
}

func TestLiteralsAreGo(t *testing.T) {
	for _, s := range Generate(3, 500) {
		if _, err := parser.ParseExpr(Literal([]Step{s, s})); err != nil {
			t.Fatalf("%v:\n%s", err, Literal(s))
		}
	}
}

func TestLiteral(t *testing.T) {
	for want, v := range map[string]any{
		`oracle.PutItem{Table: "t", Item: oracle.Item{"a": oracle.NS("1", "2"), "b": oracle.B("\x00")}}`:                         PutItem{Table: "t", Item: Item{"b": B("\x00"), "a": NS("2", "1")}},
		`oracle.Query{Where: []oracle.KeyCondition{{Name: "p", Op: "="}}, Page: oracle.Page{Limit: 2}}`:                          Query{Where: []KeyCondition{{Name: "p", Op: "="}}, Page: Page{Limit: 2}},
		`oracle.BatchGet{Keys: []oracle.Item{oracle.Item{"p": oracle.S(strings.Repeat("x", 100))}}}`:                             BatchGet{Keys: []Item{{"p": S(strings.Repeat("x", 100))}}},
		`oracle.GetItem{Project: []oracle.Path{{"l", 0}}}`:                                                                       GetItem{Project: []Path{{"l", 0}}},
		`oracle.DeleteItem{If: &oracle.Condition{Op: "attribute_exists", Operands: []oracle.Operand{{Path: oracle.Path{"a"}}}}}`: DeleteItem{If: &Condition{Op: "attribute_exists", Operands: []Operand{{Path: Path{"a"}}}}},
	} {
		if got := Literal(v); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestGenerateUsesOlderParameters checks that sequences use the parameters before
// expressions, in steps that succeed and in steps that are rejected for their values.
func TestGenerateUsesOlderParameters(t *testing.T) {
	done, refused := map[string]int{}, 0
	count := func(s Step, used bool, f *Failure, condition *Condition) {
		switch {
		case used && f == nil:
			done[fmt.Sprintf("%T", s)]++
		case used && condition.olderComplaint() != "":
			refused++
		}
	}
	for seed := range uint64(10) {
		m := newModel()
		for _, s := range Generate(seed, 400) {
			_, f := s.expect(m)
			switch s := s.(type) {
			case PutItem:
				count(s, s.Older && s.If != nil, f, s.If)
			case UpdateItem:
				count(s, s.Older && s.Update != nil, f, s.If)
			case DeleteItem:
				count(s, s.Older && s.If != nil, f, s.If)
			case GetItem:
				count(s, s.Older && s.Project != nil, f, nil)
			case BatchGetItem:
				count(s, s.Older, f, nil)
			case Query:
				count(s, s.Older && s.Page.Older && s.Page.Filter != nil, f, s.Page.Filter)
			case Scan:
				count(s, s.Page.Older && s.Page.Filter != nil, f, s.Page.Filter)
			}
			m.expire()
		}
	}
	for _, s := range []Step{PutItem{}, UpdateItem{}, DeleteItem{}, GetItem{}, BatchGetItem{}, Query{}, Scan{}} {
		if kind := fmt.Sprintf("%T", s); done[kind] < 5 {
			t.Errorf("%s succeeds %d times", kind, done[kind])
		}
	}
	if refused < 5 {
		t.Errorf("%d conditions are rejected for their values", refused)
	}
}

// TestShrink shrinks sequences of hundreds of steps that fail for a known
// reason: a put with an attribute, any time after the deletion of a table.
func TestShrink(t *testing.T) {
	fails := func(steps []Step) *Problem {
		deleted := false
		for i, s := range steps {
			switch s := s.(type) {
			case DeleteTable:
				deleted = true
			case PutItem:
				if deleted && s.Item["m"] != nil {
					return &Problem{Step: i, Kind: "m"}
				}
			}
		}
		return nil
	}
	shrunk := 0
	for seed := range uint64(20) {
		steps := Generate(seed, 400)
		if fails(steps) == nil {
			continue
		}
		shrunk++
		small, wrong := Shrink(steps, time.Minute, fails)
		if len(small) != 2 || wrong == nil {
			t.Fatalf("%d steps are left: %s", len(small), Literal(small))
		}
		if put := small[1].(PutItem); len(put.Item) != 1 || put.If != nil || put.Return != "" || put.Capacity != "" || put.Spoil != "" || put.Metrics {
			t.Errorf("the last step is %s", Literal(put))
		}
	}
	if shrunk == 0 {
		t.Error("no sequence failed")
	}
}
