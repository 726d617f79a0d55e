package provision_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access/provision"
)

// Many that apply one definition at the same time get along: each thing is changed by
// one of them, and none fails.
func TestApplySideBySide(t *testing.T) {
	for name, api := range doors(t, open(t)) {
		const many = 8
		var failed [many]error
		var changes [many][]provision.Change
		var all sync.WaitGroup
		begin := make(chan struct{})
		tables := []provision.Table{plain(), users(), rich()}
		tables[0].Name, tables[1].Name, tables[2].Name = name+"Orders", name+"Users", name+"Rich"
		for i := range many {
			all.Go(func() {
				<-begin
				changes[i], failed[i] = provision.Apply(t.Context(), api, tables, quick(provision.Options{KMSKey: "abc"}))
			})
		}
		close(begin)
		all.Wait()
		created := 0
		for i := range many {
			if failed[i] != nil {
				t.Errorf("%s: %v", name, failed[i])
			}
			for _, c := range changes[i] {
				if c.Action == provision.CreateTable {
					created++
				}
			}
		}
		if created != len(tables) {
			t.Errorf("%s: %d tables created, want %d", name, created, len(tables))
		}
		for _, left := range apply(t, api, provision.Options{KMSKey: "abc"}, tables...) {
			if !strings.Contains(left, "not supported") {
				t.Errorf("%s: left for the next time: %s", name, left)
			}
		}
	}
}

// A table of the same name and another key, made meanwhile, is left alone.
func TestAnotherTableMeanwhile(t *testing.T) {
	api := newAmazon(open(t).API())
	other := provision.Table{Name: "Users", PK: s("name")}
	if _, err := api.CreateTable(t.Context(), other.CreateInput()); err != nil {
		t.Fatal(err)
	}
	_, err := provision.Apply(t.Context(), api, []provision.Table{users()}, quick(provision.Options{}))
	if err == nil || !strings.Contains(err.Error(), "somebody else created table Users meanwhile: its key is name (S), and should be id (S)") {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff([]string{"CreateTable", "CreateTable"}, api.writes); diff != "" {
		t.Error(diff)
	}
}

// A rival removes an index a moment before it is asked to.
type rival struct {
	provision.API
	removed int
}

func (r *rival) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	if updates := in.GlobalSecondaryIndexUpdates; len(updates) == 1 && updates[0].Delete != nil {
		r.removed++
		if _, err := r.API.UpdateTable(ctx, in, o...); err != nil {
			return nil, err
		}
	}
	return r.API.UpdateTable(ctx, in, o...)
}

// An index that somebody else has removed meanwhile need not be removed.
func TestAnIndexRemovedMeanwhile(t *testing.T) {
	db := open(t)
	apply(t, db.API(), provision.Options{}, rich())
	without := rich()
	without.Indexes = slices.DeleteFunc(without.Indexes, func(x provision.Index) bool { return !x.Local })
	api := &rival{API: db.API()}
	if _, err := provision.Apply(t.Context(), api, []provision.Table{without}, quick(provision.Options{Prune: true, KMSKey: "abc"})); err != nil {
		t.Error(err)
	}
	if api.removed == 0 {
		t.Error("no index was removed")
	}
}

// wider returns the definition of a table whose index has to be replaced in plain().
func wider() provision.Table {
	t := plain()
	t.Indexes[0].SK = keys(s("placed"))
	return t
}

// An index that somebody else has replaced meanwhile is not replaced again.
func TestAnIndexReplacedMeanwhile(t *testing.T) {
	db := open(t)
	apply(t, db.API(), provision.Options{}, plain())
	replaced := false
	options := quick(provision.Options{Replace: true, Progress: func(provision.Change) {
		if !replaced {
			replaced = true
			apply(t, db.API(), provision.Options{Replace: true}, wider())
		}
	}})
	changes, err := provision.Apply(t.Context(), db.API(), []provision.Table{wider()}, options)
	if err != nil || len(changes) > 0 || !replaced {
		t.Errorf("got %v, %v; want no changes", changes, err)
	}
}

// A swift is a rival that has replaced an index when its removal is refused.
type swift struct {
	provision.API
	replace func()
}

func (s *swift) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	if updates := in.GlobalSecondaryIndexUpdates; len(updates) == 1 && updates[0].Delete != nil {
		s.replace()
		return nil, refusal("ResourceNotFoundException", "Requested resource not found")
	}
	return s.API.UpdateTable(ctx, in, o...)
}

// Apply does not wait for the absence of an index that somebody else has built anew.
func TestAnIndexReplacedWhileItIsRemoved(t *testing.T) {
	db := open(t)
	apply(t, db.API(), provision.Options{}, plain())
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	api := &swift{API: db.API(), replace: func() { apply(t, db.API(), provision.Options{Replace: true}, wider()) }}
	changes, err := provision.Apply(ctx, api, []provision.Table{wider()}, quick(provision.Options{Replace: true}))
	if err != nil || len(changes) > 0 {
		t.Errorf("got %v, %v; want no changes", changes, err)
	}
}

// Two that replace one index at the same time get along.
func TestReplaceSideBySide(t *testing.T) {
	for name, api := range doors(t, open(t)) {
		before, after := plain(), wider()
		before.Name, after.Name = name, name
		apply(t, api, provision.Options{}, before)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				if _, err := provision.Apply(ctx, api, []provision.Table{after}, quick(provision.Options{Replace: true})); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		all.Wait()
		if left := apply(t, api, provision.Options{Replace: true}, after); len(left) > 0 {
			t.Errorf("%s: left for the next time: %q", name, left)
		}
	}
}

// empty answers everything with nothing, as a server that is no DynamoDB may.
type empty struct {
	provision.API
	description *types.TableDescription
	missing     bool
}

func (e empty) DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	if e.missing {
		return nil, refusal("ResourceNotFoundException", "Requested resource not found")
	}
	return &dynamodb.DescribeTableOutput{Table: e.description}, nil
}

func (e empty) CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	return &dynamodb.CreateTableOutput{}, nil
}

func TestNotDynamoDB(t *testing.T) {
	for name, api := range map[string]empty{
		"no description": {},
		"no status":      {description: &types.TableDescription{}},
		"not created":    {missing: true},
	} {
		if _, err := provision.Apply(t.Context(), api, []provision.Table{users()}, quick(provision.Options{})); !errors.Is(err, provision.ErrUnlikeDynamoDB) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
