package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// storedItem is the part of an item that is checked before measuring.
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
	if w.op == getRecords {
		return w.verifyConsume(p, run)
	}
	d, body, keys := w.dataset, w.requestBody(run.prefix), w.keys(run)
	key := keys - 1
	// A write that changes nothing is not in a stream, so it is another one each time.
	body.fill(newRandom(uint64(freshNumber())), key, keys)
	before, err := d.read(p, run, d.keyOf(key))
	if err != nil {
		return err
	}
	stream, err := openStreamCheck(p, d, run)
	if err != nil {
		return err
	}
	answer, err := call(p, string(w.op), body.text)
	if err != nil {
		return err
	}
	if err := w.checkAnswer(key, answer); err != nil {
		return err
	}
	if w.op == query {
		return d.verifyPage(answer, key)
	}
	return errors.Join(w.verifyWrite(p, run, key, before, string(body.text)), stream.verify(key, before, string(body.text)))
}

// verifyWrite looks at what a request about key has left. The item with that key
// was another one before.
func (w workload) verifyWrite(p poster, run dataRun, key int, before storedItem, request string) error {
	switch d := w.dataset; w.op {
	case updateItem:
		after, err := d.read(p, run, d.keyOf(key))
		if err == nil && !countedUp(before, after, 1) {
			err = fmt.Errorf("update took the version from %q to %q", before.Version.N, after.Version.N)
		}
		return err
	case putItem:
		return w.verifyStored(p, run, key, request)
	case transactWrite:
		return w.verifyTransact(p, run, key, before, request)
	case batchWrite:
		for i := range batchItems {
			if err := w.verifyStored(p, run, (key+i)%w.keys(run), request); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyPage checks that a page holds all items of the partition, in order.
func (d *dataset) verifyPage(answer []byte, partition int) error {
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
		if item.PK.S != partPrefix+number(partition) || item.SK.S != number(i) || len(item.Body.S) != d.bodyWidth() {
			return fmt.Errorf("query answer: item %d is %+v", i, item)
		}
	}
	return nil
}

// countedUp reports whether the version of an item is larger by added.
func countedUp(before, after storedItem, added int) bool {
	var from, to int
	_, err := fmt.Sscan(before.Version.N+" "+after.Version.N, &from, &to)
	return err == nil && to == from+added
}

// verifyStored checks that the stored item is the one in the request.
func (w workload) verifyStored(p poster, run dataRun, key int, request string) error {
	d := w.dataset
	item, err := d.read(p, run, d.keyOf(key))
	if err != nil {
		return err
	}
	if !strings.Contains(d.keyOf(key), `"`+item.PK.S+`"`) || len(item.Body.S) != d.bodyWidth() ||
		!strings.Contains(request, item.Body.S) || !strings.Contains(request, item.G1.S) {
		return fmt.Errorf("%s: item %d was not stored: %+v", w.op, key, item)
	}
	return nil
}

// read gets an item with a consistent read. The key is JSON without brackets.
func (d *dataset) read(p poster, run dataRun, key string) (storedItem, error) {
	answer, err := call(p, "GetItem", []byte(`{"TableName":"`+d.tableName(run.prefix)+`","ConsistentRead":true,"Key":{`+key+`}}`))
	if err != nil {
		return storedItem{}, err
	}
	var out struct{ Item storedItem }
	if err := json.Unmarshal(answer, &out); err != nil {
		return storedItem{}, fmt.Errorf("GetItem answer: %w", err)
	}
	return out.Item, nil
}
