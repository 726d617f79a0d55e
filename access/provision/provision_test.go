package provision_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access/provision"
	"sortkey.dev/engine"
)

var (
	_ provision.API = (*dynamodb.Client)(nil)
	_ provision.API = (*engine.API)(nil)
)

func s(name string) provision.Key { return provision.Key{Name: name, Kind: "S"} }
func n(name string) provision.Key { return provision.Key{Name: name, Kind: "N"} }

func keys(k ...provision.Key) []provision.Key { return k }

// plain returns a table with nothing but a key and one index.
func plain() provision.Table {
	return provision.Table{
		Name: "Orders", PK: s("PK"), SK: s("SK"),
		Indexes: []provision.Index{{Name: "GSI1", PK: keys(s("GSI1PK")), SK: keys(s("GSI1SK"))}},
	}
}

// rich returns a table with everything a definition can say.
func rich() provision.Table {
	return provision.Table{
		Name: "Orders", PK: s("PK"), SK: s("SK"),
		Indexes: []provision.Index{
			{Name: "GSI1", PK: keys(s("GSI1PK")), SK: keys(s("GSI1SK")), RCU: 7, WCU: 8},
			{Name: "GSI2", PK: keys(s("tenant"), s("region")), SK: keys(n("year"), s("SK")), Attributes: []string{"total", "note"}},
		},
		RCU: 5, WCU: 6,
		Stream: "new_and_old_images", TTL: "expires", PITR: true, Class: "standard-ia",
		Encryption: "customer", KMSKey: "arn:aws:kms:us-east-1:123456789012:key/abc", Protect: true,
		Tags: map[string]string{"team": "shop", "stage": "test"},
	}
}

const noRecovery = "switch point-in-time recovery of Orders on: not done: point-in-time recovery is not supported by this endpoint"

func TestApplyThroughEveryDoor(t *testing.T) {
	db := open(t)
	for door, api := range doors(t, db) {
		t.Run(door, func(t *testing.T) {
			prefixed := provision.Options{TableNames: func(name string) string { return door + "-" + name }}
			got := apply(t, api, prefixed, rich())
			want := []string{
				"create table " + door + "-Orders",
				"expire items of " + door + "-Orders by expires",
				strings.ReplaceAll(noRecovery, "Orders", door+"-Orders"),
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if got := apply(t, api, prefixed, rich()); len(got) != 1 || !strings.Contains(got[0], "not supported by this endpoint") {
				t.Errorf("the second time: %q", got)
			}
		})
	}
}

func TestApplyChangesWhatDiffers(t *testing.T) {
	add := func(more ...provision.Index) func(*provision.Table) {
		return func(t *provision.Table) { t.Indexes = append(t.Indexes, more...) }
	}
	gsi2 := provision.Index{Name: "GSI2", PK: keys(s("tenant"), n("year")), SK: keys(s("SK")), Project: "keys"}
	gsi3 := provision.Index{Name: "GSI3", PK: keys(s("SK"))}
	for name, c := range map[string]struct {
		before, after func(*provision.Table)
		options       provision.Options
		want          []string
	}{
		"indexes one by one": {after: add(gsi2, gsi3), want: []string{"add index GSI2 to Orders", "add index GSI3 to Orders"}},
		"to provisioned": {
			before: add(gsi3),
			after:  func(t *provision.Table) { t.RCU, t.WCU = 3, 4; t.Indexes[0].RCU, t.Indexes[0].WCU = 1, 2; add(gsi2)(t) },
			want: []string{
				"remove index GSI3 from Orders: not done: it is not in the definition, and pruning was not asked for",
				"change billing of Orders to provisioned: table 3 RCU and 4 WCU, GSI1 1 RCU and 2 WCU, GSI3 3 RCU and 4 WCU",
				"add index GSI2 to Orders",
			},
		},
		"to on demand": {
			before: func(t *provision.Table) { t.RCU, t.WCU = 3, 4 },
			after:  add(gsi2),
			want:   []string{"change billing of Orders to on demand", "add index GSI2 to Orders"},
		},
		"capacity": {
			before: func(t *provision.Table) { t.RCU, t.WCU = 3, 4; add(gsi2)(t) },
			after: func(t *provision.Table) {
				t.RCU, t.WCU = 3, 5
				add(gsi2)(t)
				t.Indexes[1].RCU, t.Indexes[1].WCU = 3, 4
			},
			want: []string{"change capacity of Orders: table 3 RCU and 5 WCU, GSI1 3 RCU and 5 WCU"},
		},
		"capacity of an index alone": {
			before: func(t *provision.Table) { t.RCU, t.WCU = 3, 4 },
			after:  func(t *provision.Table) { t.RCU, t.WCU = 3, 4; t.Indexes[0].RCU, t.Indexes[0].WCU = 9, 9 },
			want:   []string{"change capacity of Orders: GSI1 9 RCU and 9 WCU"},
		},
		"capacity that is moved by something else": {
			before: func(t *provision.Table) { t.RCU, t.WCU = 3, 4 },
			after:  func(t *provision.Table) { t.RCU, t.WCU, t.Autoscaled = 1, 1, true },
		},
		"stream": {after: func(t *provision.Table) { t.Stream = "keys_only" }, want: []string{"add stream keys_only to Orders"}},
		"stream with something else": {
			before: func(t *provision.Table) { t.Stream = "keys_only" },
			after:  func(t *provision.Table) { t.Stream = "new_image" },
			want: []string{
				"remove stream keys_only from Orders, to change what it carries: its readers must move to the new one",
				"add stream new_image to Orders",
			},
		},
		"class": {after: func(t *provision.Table) { t.Class = "standard-ia" }, want: []string{"change class of Orders to standard-ia"}},
		"class and back": {
			before: func(t *provision.Table) { t.Class = "standard-ia" },
			want:   []string{"change class of Orders to standard"},
		},
		"protection": {after: func(t *provision.Table) { t.Protect = true }, want: []string{"protect Orders against deletion"}},
		"managed key": {
			after: func(t *provision.Table) { t.Encryption = "aws-managed" },
			want:  []string{"encrypt Orders with the managed key of AWS"},
		},
		"own key": {
			before:  func(t *provision.Table) { t.Encryption = "aws-managed" },
			after:   func(t *provision.Table) { t.Encryption = "customer" },
			options: provision.Options{KMSKey: "k1"},
			want:    []string{"encrypt Orders with the key k1"},
		},
		"expiry": {after: func(t *provision.Table) { t.TTL = "expires" }, want: []string{"expire items of Orders by expires"}},
		"expiry by another attribute": {
			before: func(t *provision.Table) { t.TTL = "expires" },
			after:  func(t *provision.Table) { t.TTL = "gone" },
			want:   []string{"stop expiring items of Orders by expires", "expire items of Orders by gone"},
		},
		"tags": {
			before: func(t *provision.Table) { t.Tags = map[string]string{"team": "shop", "stage": "test"} },
			after:  func(t *provision.Table) { t.Tags = map[string]string{"team": "shop", "stage": "prod", "cost": "7"} },
			want:   []string{"set tags of Orders: cost, stage"},
		},
		"replaced index": {
			before: add(gsi2, gsi3),
			after: func(t *provision.Table) {
				add(gsi2, gsi3)(t)
				t.Indexes[1].PK = keys(s("tenant"), s("year")) // another kind
				t.Indexes[2].Project = "keys"
			},
			options: provision.Options{Replace: true},
			want: []string{
				"remove index GSI2 from Orders, to build it anew", "remove index GSI3 from Orders, to build it anew",
				"add index GSI2 to Orders", "add index GSI3 to Orders",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := open(t).API()
			before, after := plain(), plain()
			if c.before != nil {
				c.before(&before)
			}
			if c.after != nil {
				c.after(&after)
			}
			apply(t, api, provision.Options{}, before)
			dry := c.options
			dry.DryRun = true
			if diff := cmp.Diff(c.want, apply(t, api, dry, after), sameIfEmpty); diff != "" {
				t.Errorf("dry run: %s", diff)
			}
			if diff := cmp.Diff(c.want, apply(t, api, c.options, after), sameIfEmpty); diff != "" {
				t.Error(diff)
			}
			for _, left := range apply(t, api, c.options, after) {
				if !strings.Contains(left, "not done") {
					t.Errorf("left for the second time: %s", left)
				}
			}
		})
	}
}

var sameIfEmpty = cmp.FilterValues(func(a, b []string) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore())

func TestApplyRemovesNothingWithoutPrune(t *testing.T) {
	api := open(t).API()
	full := rich()
	full.PITR = false
	apply(t, api, provision.Options{}, full)
	less := provision.Table{Name: "Orders", PK: s("PK"), SK: s("SK"), RCU: 5, WCU: 6, Class: "standard-ia"}
	before := snapshot(t, api, "Orders")
	kept := apply(t, api, provision.Options{}, less)
	if after := snapshot(t, api, "Orders"); before != after {
		t.Errorf("it changed: %s", cmp.Diff(before, after))
	}
	var want []string
	for _, text := range []string{
		"remove index GSI1 from Orders", "remove index GSI2 from Orders", "remove stream new_and_old_images from Orders",
		"remove protection against deletion from Orders", "remove the key of KMS from Orders, and encrypt it with DynamoDB's own",
		"stop expiring items of Orders by expires", "remove tags from Orders: stage, team",
	} {
		want = append(want, text+": not done: it is not in the definition, and pruning was not asked for")
	}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Error(diff)
	}
	for i, text := range want {
		want[i], _, _ = strings.Cut(text, ": not done")
	}
	prune := provision.Options{Prune: true}
	if diff := cmp.Diff(want, apply(t, api, prune, less)); diff != "" {
		t.Error(diff)
	}
	if left := apply(t, api, prune, less); len(left) != 0 {
		t.Errorf("left for the second time: %q", left)
	}
}

// An index is used by items that were there before it.
func TestNewIndexHoldsOldItems(t *testing.T) {
	db := open(t)
	table := plain()
	table.Indexes = nil
	apply(t, db.API(), provision.Options{}, table)
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	_, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Orders"), Item: map[string]types.AttributeValue{
		"PK": text("a"), "SK": text("b"), "GSI1PK": text("x"), "GSI1SK": text("y"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, db.API(), provision.Options{}, plain())
	out, err := db.API().Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String("Orders"), IndexName: aws.String("GSI1"), KeyConditionExpression: aws.String("GSI1PK = :x"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":x": text("x")},
	})
	if err != nil || out.Count != 1 {
		t.Errorf("got %v, %v", out, err)
	}
}

// Cut off at any call, before or after it was heard, Apply can be run again.
func TestInterruptedApplyCanBeRunAgain(t *testing.T) {
	other := provision.Table{Name: "Users", PK: s("id"), Tags: map[string]string{"team": "shop"}}
	start := plain()
	start.Stream, start.TTL, start.Tags = "keys_only", "gone", map[string]string{"old": "1"}
	start.Indexes = append(start.Indexes, provision.Index{Name: "GSI2", PK: keys(s("tenant"))}, provision.Index{Name: "GSI9", PK: keys(s("x"))})
	options := provision.Options{Prune: true, Replace: true}
	started := func() *engine.DB {
		db := open(t)
		apply(t, db.API(), provision.Options{}, start)
		return db
	}
	db := started()
	apply(t, db.API(), options, rich(), other)
	want := snapshot(t, db.API(), "Orders", "Users")

	for _, after := range []bool{false, true} {
		at := 1
		for ; ; at++ {
			db := started()
			line := cutLine{db.API(), &cut{at: at, after: after}}
			_, err := provision.Apply(t.Context(), line, []provision.Table{rich(), other}, quick(options))
			if line.calls < at {
				break // the whole of it went through
			}
			// An endpoint without point-in-time recovery answers that call with an error already.
			if err != nil && !errors.Is(err, errCut) {
				t.Fatalf("cut at call %d: %v", at, err)
			}
			apply(t, db.API(), options, rich(), other)
			if got := snapshot(t, db.API(), "Orders", "Users"); got != want {
				t.Errorf("cut at call %d, after %v: %s", at, after, cmp.Diff(want, got))
			}
			if left := apply(t, db.API(), options, rich(), other); len(left) != 1 || left[0] != noRecovery {
				t.Errorf("cut at call %d, after %v: left %q", at, after, left)
			}
		}
		if at < 30 {
			t.Errorf("only %d calls were cut", at)
		}
	}
}
