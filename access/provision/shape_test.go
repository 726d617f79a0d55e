package provision_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/provision"
	"sortkey.dev/access/shape"
)

// people returns a table of users. With the attributes of its entity the shape changes.
func people(attributes ...shape.Attribute) provision.Table {
	return provision.Table{
		Name: "users", PK: s("PK"), TTL: "gone",
		Shape: &shape.Table{PK: "PK", TTL: "gone", Entities: []shape.Entity{{
			Name:       "User",
			Attributes: append([]shape.Attribute{{Name: "id", Type: "string"}}, attributes...),
			Keys:       []shape.Key{{Name: "PK", Template: "USER#{id}"}},
		}}},
	}
}

var age = shape.Attribute{Name: "age", Type: "int"}

// putText puts an item of texts; a number is written as #7.
func putText(t *testing.T, api provision.API, pairs ...string) {
	t.Helper()
	item := map[string]types.AttributeValue{}
	for i := 0; i < len(pairs); i += 2 {
		item[pairs[i]] = &types.AttributeValueMemberS{Value: pairs[i+1]}
		if n, is := strings.CutPrefix(pairs[i+1], "#"); is {
			item[pairs[i]] = &types.AttributeValueMemberN{Value: n}
		}
	}
	put := api.(interface {
		PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	})
	if _, err := put.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("users"), Item: item}); err != nil {
		t.Fatal(err)
	}
}

// withoutShape makes the table as programs did that stored no shape.
func withoutShape(t *testing.T, api provision.API) {
	t.Helper()
	plain := people()
	plain.Shape = nil
	apply(t, api, provision.Options{}, plain)
}

func refusalOf(t *testing.T, api provision.API, o provision.Options, table provision.Table) string {
	t.Helper()
	_, err := provision.Apply(t.Context(), api, []provision.Table{table}, o)
	refused, ok := errors.AsType[*provision.RefusedError](err)
	if !ok || len(refused.Reasons) != 1 || !refused.Reasons[0].Shape {
		t.Fatalf("it is not refused for its shape: %v", err)
	}
	return refused.Reasons[0].Text
}

// TestSampleOfATableWithoutShape makes tables with items of every kind and applies a definition with a
// shape.
func TestSampleOfATableWithoutShape(t *testing.T) {
	for name, c := range map[string]struct {
		items [][]string
		want  string // the change, or the refusal
	}{
		"empty":            {nil, "adopt table users: it is empty"},
		"all fit":          {[][]string{{"PK", "USER#1", "id", "1", "age", "#7"}}, "adopt table users: 1 item read, all fit"},
		"expiring":         {[][]string{{"PK", "USER#1", "id", "1", "age", "#7"}, {"PK", "RECEIPT#1", "gone", "#99"}}, "adopt table users: 2 items read, all fit; 1 item of no entity of the design will expire by gone"},
		"missing":          {[][]string{{"PK", "USER#1", "id", "1"}}, "1 of 1 item read does not fit the design:\n    the item with PK = \"USER#1\": User: age is missing"},
		"other kind":       {[][]string{{"PK", "USER#1", "id", "1", "age", "x"}}, "1 of 1 item read does not fit the design:\n    the item with PK = \"USER#1\": User: age holds S, not N"},
		"other key":        {[][]string{{"PK", "USER#1", "id", "2", "age", "#7"}}, "1 of 1 item read does not fit the design:\n    the item with PK = \"USER#1\": User: its PK is not what the template USER#{id} gives"},
		"of no entity":     {[][]string{{"PK", "ORDER#1"}}, "1 of 1 item read does not fit the design:\n    the item with PK = \"ORDER#1\": its key is of no entity of the design"},
		"expiring misfits": {[][]string{{"PK", "USER#1", "gone", "#99"}}, "1 of 1 item read does not fit the design:\n    the item with PK = \"USER#1\": User: id is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			api := open(t).API()
			withoutShape(t, api)
			for _, item := range c.items {
				putText(t, api, item...)
			}
			if strings.HasPrefix(c.want, "adopt") {
				expect(t, apply(t, api, provision.Options{}, people(age)), []string{c.want})
				expect(t, apply(t, api, provision.Options{}, people(age)), nil)
				return
			}
			if got := refusalOf(t, api, provision.Options{}, people(age)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			apply(t, api, provision.Options{AcceptShape: true}, people(age))
			expect(t, apply(t, api, provision.Options{}, people(age)), nil)
		})
	}
}

// TestSampleFindsDuplicatesBehindOneRow has two users of one name, and the row of a unique rule that one of
// them has written since.
func TestSampleFindsDuplicatesBehindOneRow(t *testing.T) {
	api := open(t).API()
	withoutShape(t, api)
	putText(t, api, "PK", "USER#1", "id", "1", "name", "bob")
	putText(t, api, "PK", "NAME#bob")
	name := shape.Attribute{Name: "name", Type: "string"}
	unique := people(name)
	unique.Shape.Guards = []shape.Guard{{
		Entity: "User", Unique: "name", Keys: []shape.Key{{Name: "PK", Template: "NAME#{name}"}}, Attributes: []shape.Attribute{name},
	}}
	expect(t, apply(t, api, provision.Options{DryRun: true}, unique), []string{"adopt table users: 2 items read, all fit"})
	putText(t, api, "PK", "USER#2", "id", "2", "name", "bob")
	got := refusalOf(t, api, provision.Options{}, unique)
	if !strings.Contains(got, "its User.name is not unique: the item with PK = \"USER#") || !strings.HasPrefix(got, "1 of 3 items read does not fit") {
		t.Errorf("got %s", got)
	}
}

// TestSampleIsBounded fills a table with more items than are read, all of them wrong.
func TestSampleIsBounded(t *testing.T) {
	api := open(t).API()
	withoutShape(t, api)
	for i := range 1500 {
		putText(t, api, "PK", fmt.Sprintf("USER#%d", i), "id", fmt.Sprint(i))
	}
	got := refusalOf(t, api, provision.Options{}, people(age))
	if lines := strings.Split(got, "\n"); len(lines) != 7 || lines[0] != "1000 of 1,000 items read do not fit the design:" || lines[6] != "    and 995 more" {
		t.Errorf("got %s", got)
	}
	expect(t, apply(t, api, provision.Options{}, people()), []string{"adopt table users: 1,000 items read, all fit"})
}

// TestAnotherShapeIsRefused changes the definition of a table with items, and of an empty one.
func TestAnotherShapeIsRefused(t *testing.T) {
	api := open(t).API()
	apply(t, api, provision.Options{}, people())
	expect(t, apply(t, api, provision.Options{}, people(age)), []string{"adopt table users: it is empty"})
	expect(t, apply(t, api, provision.Options{}, people()), []string{"adopt table users: it is empty"})
	putText(t, api, "PK", "USER#1", "id", "1")
	const want = "its items have another shape than this design gives them: User.age is new"
	for _, o := range []provision.Options{{}, {DryRun: true}, {Prune: true, Replace: true}} {
		if got := refusalOf(t, api, o, people(age)); got != want {
			t.Errorf("got %q", got)
		}
	}
	without := people()
	without.Shape = nil
	expect(t, apply(t, api, provision.Options{Prune: true}, without), nil)
	expect(t, apply(t, api, provision.Options{Prune: true}, people()), nil)
}

// TestShapeOfManyFactsLeavesNoTag shrinks a shape of several tags to one of one tag.
func TestShapeOfManyFactsLeavesNoTag(t *testing.T) {
	api := open(t).API()
	var many []shape.Attribute
	for i := range 100 {
		many = append(many, shape.Attribute{Name: fmt.Sprintf("a%d", i), Type: "string?"})
	}
	apply(t, api, provision.Options{}, people(many...))
	apply(t, api, provision.Options{}, people())
	d, err := api.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("users")})
	if err != nil {
		t.Fatal(err)
	}
	tags, err := api.ListTagsOfResource(t.Context(), &dynamodb.ListTagsOfResourceInput{ResourceArn: d.Table.TableArn})
	if err != nil || len(tags.Tags) != 1 || aws.ToString(tags.Tags[0].Key) != shape.Tag {
		t.Errorf("%v, %v", tags, err)
	}
}

// untagged is an endpoint without tags.
type untagged struct{ provision.API }

func (untagged) ListTagsOfResource(context.Context, *dynamodb.ListTagsOfResourceInput, ...func(*dynamodb.Options)) (*dynamodb.ListTagsOfResourceOutput, error) {
	return nil, refusal("UnknownOperationException", "")
}

// TestEndpointsWithoutTagsAreSampledEachTime applies on an endpoint that cannot store the shape.
func TestEndpointsWithoutTagsAreSampledEachTime(t *testing.T) {
	api := open(t).API()
	apply(t, untagged{api}, provision.Options{}, people())
	putText(t, api, "PK", "USER#1", "id", "1")
	for range 2 {
		changes, err := provision.Apply(t.Context(), untagged{api}, []provision.Table{people()}, provision.Options{})
		if err != nil || len(changes) != 1 || changes[0].Unsupported != "the tag sortkey:shape" || changes[0].Text != "adopt table users: 1 item read, all fit" {
			t.Errorf("%v, %v", changes, err)
		}
	}
	refusalOf(t, untagged{api}, provision.Options{}, people(age))
}

func expect(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
