package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// storedItem is what the check before measuring wants to see of an item.
type storedItem struct {
	PK      struct{ S string } `json:"pk"`
	SK      struct{ S string } `json:"sk"`
	Version struct{ N string } `json:"version"`
	G1      struct{ S string } `json:"g1"`
	Body    struct{ S string } `json:"body"`
}

// verify does the workload once and looks thoroughly whether it did what it
// should: speed counts only for right answers.
func (w workload) verify(p poster, run dataRun) error {
	const seed = 99
	body, keys := w.requestBody(run.prefix), w.keys(run)
	key := keys - 1
	body.fill(newRandom(seed), key, keys)
	answer, err := call(p, string(w.op), body.text)
	if err != nil {
		return err
	}
	if err := w.checkAnswer(key, answer); err != nil {
		return err
	}
	switch w.op {
	case query:
		return verifyPage(answer, key)
	case updateItem:
		return w.verifyUpdate(p, run, key)
	case putItem:
		return w.verifyStored(p, run, key, string(body.text))
	case batchWrite:
		for i := range batchItems {
			if err := w.verifyStored(p, run, (key+i)%keys, string(body.text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyPage wants all items of the partition, in order.
func verifyPage(answer []byte, partition int) error {
	var page struct {
		Items []storedItem
		Count int
	}
	if err := json.Unmarshal(answer, &page); err != nil {
		return fmt.Errorf("query answer: %w", err)
	}
	if page.Count != pageItems || len(page.Items) != pageItems {
		return fmt.Errorf("query answer has %d items and says %d, want %d", len(page.Items), page.Count, pageItems)
	}
	for i, item := range page.Items {
		if item.PK.S != partPrefix+number(partition) || item.SK.S != number(i) || len(item.Body.S) != bodyWidth {
			return fmt.Errorf("query answer: item %d is %+v", i, item)
		}
	}
	return nil
}

// verifyUpdate wants one more update to count the version up by one.
func (w workload) verifyUpdate(p poster, run dataRun, key int) error {
	before, err := w.read(p, run, key)
	if err != nil {
		return err
	}
	body := w.requestBody(run.prefix)
	body.fill(newRandom(1), key, w.keys(run))
	if _, err := call(p, string(w.op), body.text); err != nil {
		return err
	}
	after, err := w.read(p, run, key)
	if err != nil {
		return err
	}
	var from, to int
	if _, err := fmt.Sscan(before.Version.N+" "+after.Version.N, &from, &to); err != nil || to != from+1 {
		return fmt.Errorf("update took the version from %q to %q", before.Version.N, after.Version.N)
	}
	return nil
}

// verifyStored wants the item to be the one in the request.
func (w workload) verifyStored(p poster, run dataRun, key int, request string) error {
	item, err := w.read(p, run, key)
	if err != nil {
		return err
	}
	if item.PK.S != itemPrefix+number(key) || len(item.Body.S) != bodyWidth || !strings.Contains(request, item.Body.S) || !strings.Contains(request, item.G1.S) {
		return fmt.Errorf("%s: item %d was not stored: %+v", w.op, key, item)
	}
	return nil
}

// read gets an item with a consistent read.
func (w workload) read(p poster, run dataRun, key int) (storedItem, error) {
	answer, err := call(p, "GetItem", []byte(`{"TableName":"`+w.dataset.tableName(run.prefix)+
		`","ConsistentRead":true,"Key":{"pk":{"S":"`+itemPrefix+number(key)+`"}}}`))
	if err != nil {
		return storedItem{}, err
	}
	var out struct{ Item storedItem }
	if err := json.Unmarshal(answer, &out); err != nil {
		return storedItem{}, fmt.Errorf("GetItem answer: %w", err)
	}
	return out.Item, nil
}
