package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// A dataRun holds what all systems of a run share: how their tables are called and how
// many items a table holds.
type dataRun struct {
	prefix     string
	items      int // of a table that is written to; a multiple of pageItems and batchItems
	readItems  int // of a table that is only read, likewise
	projection string
	progress   func(items int) // called with the number of loaded items; may be nil
}

// progressItems is the number of loaded items between progress reports.
const progressItems = 1_000_000

// itemsOf returns how many items the table of a dataset holds.
func (r dataRun) itemsOf(d *dataset) int {
	if d.readOnly {
		return r.readItems
	}
	return r.items
}

// A poster sends one JSON request to a DynamoDB, whatever way.
type poster interface {
	post(op string, body []byte) (status int, answer []byte, err error)
}

// call posts a request and expects status 200.
func call(p poster, op string, body []byte) ([]byte, error) {
	status, answer, err := p.post(op, body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if status != 200 {
		return nil, fmt.Errorf("%s: status %d: %.500s", op, status, answer)
	}
	return answer, nil
}

// createTable creates the table of a dataset. Servers that make tables in the
// background are waited for when its items are loaded.
func (d *dataset) createTable(p poster, run dataRun) error {
	var b strings.Builder
	attributes := `{"AttributeName":"pk","AttributeType":"S"}`
	keys := `{"AttributeName":"pk","KeyType":"HASH"}`
	if d.sorted {
		attributes += `,{"AttributeName":"sk","AttributeType":"S"}`
		keys += `,{"AttributeName":"sk","KeyType":"RANGE"}`
	}
	indexes := make([]string, d.indexes)
	for i := range indexes {
		name := "g" + strconv.Itoa(i+1)
		attributes += `,{"AttributeName":"` + name + `","AttributeType":"S"}`
		indexes[i] = `{"IndexName":"by-` + name + `","KeySchema":[{"AttributeName":"` + name + `","KeyType":"HASH"}],` +
			`"Projection":{"ProjectionType":"` + run.projection + `"}}`
	}
	fmt.Fprintf(&b, `{"TableName":%q,"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[%s],"KeySchema":[%s]`,
		d.tableName(run.prefix), attributes, keys)
	if len(indexes) > 0 {
		b.WriteString(`,"GlobalSecondaryIndexes":[` + strings.Join(indexes, ",") + `]`)
	}
	if d.stream {
		b.WriteString(`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`)
	}
	b.WriteString("}")
	if _, err := call(p, "CreateTable", []byte(b.String())); err != nil {
		return err
	}
	return d.waitActive(p, run)
}

// waitActive asks until the table can be used.
func (d *dataset) waitActive(p poster, run dataRun) error {
	body := []byte(`{"TableName":"` + d.tableName(run.prefix) + `"}`)
	for {
		answer, err := call(p, "DescribeTable", body)
		if err != nil {
			return err
		}
		var described struct{ Table struct{ TableStatus string } }
		if err := json.Unmarshal(answer, &described); err != nil {
			return fmt.Errorf("DescribeTable: %w", err)
		}
		if described.Table.TableStatus == "ACTIVE" {
			return nil
		}
	}
}

// dropTable deletes the table of a dataset.
func (d *dataset) dropTable(p poster, run dataRun) error {
	_, err := call(p, "DeleteTable", []byte(`{"TableName":"`+d.tableName(run.prefix)+`"}`))
	return err
}

// count counts the items of the table, or the entries of one of its indexes, by
// reading all of them.
func (d *dataset) count(ctx context.Context, p poster, run dataRun, index string) (items int, err error) {
	head := `{"TableName":"` + d.tableName(run.prefix) + `","Select":"COUNT"`
	if index != "" {
		head += `,"IndexName":"` + index + `"`
	}
	for start := ""; ; {
		if err := ctx.Err(); err != nil {
			return items, err
		}
		answer, err := call(p, "Scan", []byte(head+start+`}`))
		if err != nil {
			return items, err
		}
		var page struct {
			Count            int
			LastEvaluatedKey json.RawMessage
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return items, fmt.Errorf("Scan: %w", err)
		}
		items += page.Count
		if page.LastEvaluatedKey == nil {
			return items, nil
		}
		start = `,"ExclusiveStartKey":` + string(page.LastEvaluatedKey)
	}
}

// load fills the table with the items of the run, through all posters at once.
func (d *dataset) load(posters []poster, run dataRun) error {
	var wg sync.WaitGroup
	errs := make([]error, len(posters))
	for n, p := range posters {
		wg.Go(func() {
			body, rnd, items := d.batchBody(run.prefix), newRandom(uint64(n)), run.itemsOf(d)
			for key := n * batchItems; key < items && errs[n] == nil; key += len(posters) * batchItems {
				body.fill(rnd, key, items)
				answer, err := call(p, "BatchWriteItem", body.text)
				if err == nil {
					err = workload{op: batchWrite}.checkAnswer(key, answer)
				}
				errs[n] = err
				if done := key + batchItems; done%progressItems == 0 && run.progress != nil {
					run.progress(done)
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// prepare creates and fills the tables of all datasets.
func prepare(posters []poster, datasets []*dataset, run dataRun) error {
	for _, d := range datasets {
		err := d.createTable(posters[0], run)
		if err == nil {
			err = d.load(posters, run)
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", d.tableName(run.prefix), err)
		}
	}
	return nil
}
