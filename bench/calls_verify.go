package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/engine"
)

// verifiedCalls is the number of calls of each kind that are verified before measuring.
const verifiedCalls = 5

// verifyWays lets every way do every kind of call through both doors, each with an
// engine of its own. What is returned is checked, and at the end all tables must
// hold the same.
func verifyWays(ctx context.Context) error {
	var want map[string]access.Item
	for _, door := range []string{doorAPI, doorClient} {
		for i := range callsSystems(new(engine.DB), workload{}) {
			title, got, err := verifyWay(ctx, door, i)
			if err != nil {
				return fmt.Errorf("%s%s: %w", title, door, err)
			}
			if want == nil {
				want = got
			}
			if err := sameTable(got, want); err != nil {
				return fmt.Errorf("%s%s: %w", title, door, err)
			}
		}
	}
	return nil
}

// verifyWay does all calls in one way and returns all items that are there then.
func verifyWay(ctx context.Context, door string, i int) (title string, items map[string]access.Item, err error) {
	db, err := openExams(ctx)
	if err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, kind := range callKinds {
		w := workload{id: kind.id + door}
		s := callsSystems(db, w)[i]
		s.owner, title = kind.id[:1], s.title // the same keys in all ways
		c, err := s.caller(w, 1)
		if err != nil {
			return title, nil, err
		}
		for range verifiedCalls {
			if err := c.do(true); err != nil {
				return title, nil, fmt.Errorf("%s: %w", kind.title, err)
			}
		}
	}
	items, err = allItems(ctx, db.API())
	return title, items, err
}

// allItems returns the items of the table under their keys.
func allItems(ctx context.Context, api *engine.API) (map[string]access.Item, error) {
	items := map[string]access.Item{}
	pages := dynamodb.NewScanPaginator(api, &dynamodb.ScanInput{TableName: aws.String(examTable)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			r := itemReader{item: item}
			items[r.text("PK")+" "+r.text("SK")] = item
		}
	}
	return items, nil
}

// sameTable compares two tables item by item.
func sameTable(got, want map[string]access.Item) error {
	for key, item := range want {
		if !reflect.DeepEqual(got[key], item) {
			return fmt.Errorf("%s is %+v, want %+v", key, got[key], item)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d items, want %d", len(got), len(want))
	}
	return nil
}

// store puts an entity into the table.
func store(api *engine.API, encode func() (access.Item, error)) error {
	item, err := encode()
	if err != nil {
		return err
	}
	_, err = api.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String(examTable), Item: item})
	return err
}
