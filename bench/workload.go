package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An operation is a DynamoDB operation that workloads are made of.
type operation string

const (
	getItem       operation = "GetItem"
	putItem       operation = "PutItem"
	updateItem    operation = "UpdateItem"
	query         operation = "Query"
	scan          operation = "Scan"
	batchWrite    operation = "BatchWriteItem"
	transactWrite operation = "TransactWriteItems"
	getRecords    operation = "GetRecords"
	addIndex      operation = "UpdateTable" // that adds an index
)

// A workload is the operation that all callers of a row repeat.
type workload struct {
	id      string // stable, for --only and the targets
	title   string
	op      operation
	dataset *dataset
	fsync   bool // a write is answered when it is on disk
}

// reads reports whether the workload changes nothing.
func (w workload) reads() bool {
	return w.op == getItem || w.op == query || w.op == scan || w.op == getRecords
}

// A dataset is a table and the items it holds when measuring begins.
type dataset struct {
	name    string
	indexes int  // global secondary indexes
	sorted  bool // items have a sort key and stand in partitions of pageItems
	stream  bool // changes go to a stream, with both images
	small   bool // items have about 100 bytes instead of 1 KB
	big     bool // items have 400 KB

	readOnly bool // no workload writes to it
	grows    bool // transactions add items to it; otherwise they replace some
	putsOnly bool // transactions are of putItems puts
}

const (
	pageItems  = 100 // items of a partition, all answered by one Query
	batchItems = 25  // items of a BatchWriteItem
	putItems   = 4   // items of a transaction that only puts
	groups     = 1000
)

var (
	hotItems    = &dataset{name: "hot", readOnly: true}
	plainItems  = &dataset{name: "put0"}
	oneIndex    = &dataset{name: "put1", indexes: 1}
	threeIndex  = &dataset{name: "put3", indexes: 3}
	updateItems = &dataset{name: "update"}
	batchTarget = &dataset{name: "batch"}
	twoStreamed = &dataset{name: "put2s", indexes: 2, stream: true}
	orders      = &dataset{name: "transact", grows: true}
	putTarget   = &dataset{name: "transact4", putsOnly: true}
	partitions  = &dataset{name: "pages", sorted: true, readOnly: true}
)

// workloads in the order they are measured: what only reads comes first, so
// that it finds the store as it was loaded.
var workloads = []workload{
	{id: "get", title: "GetItem 1 KB", op: getItem, dataset: hotItems},
	{id: "query", title: "Query 100 x 1 KB", op: query, dataset: partitions},
	{id: "put-nosync", title: "PutItem 1 KB, no fsync", op: putItem, dataset: plainItems},
	{id: "put-nosync-1gsi", title: "PutItem 1 KB, 1 GSI, no fsync", op: putItem, dataset: oneIndex},
	{id: "put-nosync-3gsi", title: "PutItem 1 KB, 3 GSI, no fsync", op: putItem, dataset: threeIndex},
	{id: "update-nosync", title: "UpdateItem with condition, no fsync", op: updateItem, dataset: updateItems},
	{id: "batch-nosync", title: "BatchWriteItem 25 x 1 KB, no fsync", op: batchWrite, dataset: batchTarget},
	{id: "put-nosync-2gsi-stream", title: "PutItem 1 KB, 2 GSI, stream, no fsync", op: putItem, dataset: twoStreamed},
	{id: "transact-nosync", title: "TransactWriteItems of 3, no fsync", op: transactWrite, dataset: orders},
	{id: "put-fsync", title: "PutItem 1 KB, fsync", op: putItem, dataset: plainItems, fsync: true},
	{id: "put-fsync-1gsi", title: "PutItem 1 KB, 1 GSI, fsync", op: putItem, dataset: oneIndex, fsync: true},
	{id: "put-fsync-3gsi", title: "PutItem 1 KB, 3 GSI, fsync", op: putItem, dataset: threeIndex, fsync: true},
	{id: "update-fsync", title: "UpdateItem with condition, fsync", op: updateItem, dataset: updateItems, fsync: true},
	{id: "batch-fsync", title: "BatchWriteItem 25 x 1 KB, fsync", op: batchWrite, dataset: batchTarget, fsync: true},
	{id: "put-fsync-2gsi-stream", title: "PutItem 1 KB, 2 GSI, stream, fsync", op: putItem, dataset: twoStreamed, fsync: true},
	{id: "transact-fsync", title: "TransactWriteItems of 3, fsync", op: transactWrite, dataset: orders, fsync: true},
	{id: "transact-puts-fsync", title: "TransactWriteItems of 4 puts, fsync", op: transactWrite, dataset: putTarget, fsync: true},
}

// workloadByID finds a workload that is known to exist.
func workloadByID(id string) workload {
	for _, w := range slices.Concat(workloads, memoryWorkloads, streamWorkloads, backfillWorkloads, flatWorkloads) {
		if w.id == id {
			return w
		}
	}
	panic("no workload " + id)
}

// tableName returns the name of the dataset's table in a run.
func (d *dataset) tableName(prefix string) string { return prefix + "-" + d.name }

// The words that stand before the numbers in key attributes.
const (
	itemPrefix  = "item-"
	newPrefix   = "new-"
	partPrefix  = "part-"
	groupPrefix = "group-"
)

// bodyWidth makes an item exactly 1 KB in DynamoDB's measure, which counts the
// names and values of attributes. A small item has smallBodyWidth, a big one as many parts of
// bigBodyWidth as make the largest item.
const (
	bodyWidth      = 852
	smallBodyWidth = 64
	bigBodyWidth   = 51_178
	bigBodyParts   = 8
)

// bodyWidth returns how long the longest attribute of an item is.
func (d *dataset) bodyWidth() int {
	switch {
	case d.small:
		return smallBodyWidth
	case d.big:
		return bigBodyParts * bigBodyWidth
	}
	return bodyWidth
}

// addKey appends the key attributes of the item with the given distance from
// the key of the request, without brackets.
func (t *template) addKey(d *dataset, offset int) *template {
	if d.sorted {
		return t.put(`"pk":{"S":"`+partPrefix).add(slotPart, numberWidth, offset).
			put(`"},"sk":{"S":"`).add(slotSort, numberWidth, offset).put(`"}`)
	}
	return t.put(`"pk":{"S":"`+itemPrefix).add(slotKey, numberWidth, offset).put(`"}`)
}

// keyOf returns the JSON of the key attributes of item n.
func (d *dataset) keyOf(n int) string {
	key := new(template).addKey(d, 0)
	key.fill(nil, n, n+1)
	return string(key.text)
}

// addItem appends the JSON of an item with the given distance from the key of
// the request. The same attributes as typedItem.
func (t *template) addItem(d *dataset, offset int) *template {
	return t.put(`{`).addKey(d, offset).addAttributes(d).put(`}`)
}

// addAttributes appends what an item has beside its key.
func (t *template) addAttributes(d *dataset) *template {
	if d.small {
		return t.put(`,"version":{"N":"1"},"body":{"S":"`).add(slotText, smallBodyWidth, 0).put(`"}`)
	}
	for i := range 3 {
		t.put(`,"g`+strconv.Itoa(i+1)+`":{"S":"`+groupPrefix).add(slotGroup, numberWidth, 0).put(`"}`)
	}
	t.put(`,"version":{"N":"1"},"price":{"N":"1299.95"},"active":{"BOOL":true},"tags":{"SS":["blue","green"]}` +
		`,"address":{"M":{"street":{"S":"Example Street 12"},"city":{"S":"Utrecht"}}}` +
		`,"history":{"L":[{"N":"1700000000000"},{"S":"created"}]},"body":{"S":"`)
	if d.big {
		for range bigBodyParts {
			t.add(slotText, bigBodyWidth, 0)
		}
		return t.put(`"}`)
	}
	return t.add(slotText, bodyWidth, 0).put(`"}`)
}

// requestBody returns the JSON of the workload's request.
func (w workload) requestBody(prefix string) *template {
	t := new(template)
	table := `"TableName":"` + w.dataset.tableName(prefix) + `"`
	switch w.op {
	case getItem:
		t.put(`{`+table+`,"Key":{`).addKey(w.dataset, 0).put(`}}`)
	case putItem:
		t.put(`{`+table+`,"Item":`).addItem(w.dataset, 0).put(`}`)
	case updateItem:
		t.put(`{`+table+`,"Key":{`).addKey(w.dataset, 0).put(`},` +
			`"UpdateExpression":"` + updateExpression + `","ConditionExpression":"` + updateCondition + `",` +
			`"ExpressionAttributeValues":{":one":{"N":"1"},":price":{"N":"1300.05"}}}`)
	case query:
		t.put(`{`+table+`,"KeyConditionExpression":"`+queryCondition+`",`+
			`"ExpressionAttributeValues":{":pk":{"S":"`+partPrefix).add(slotKey, numberWidth, 0).put(`"}}}`)
	case scan:
		t.put(`{` + table + `}`)
	case batchWrite:
		return w.dataset.batchBody(prefix)
	case transactWrite:
		return w.dataset.transactBody(prefix)
	}
	return t
}

// batchBody returns the JSON of a BatchWriteItem that puts batchItems items.
func (d *dataset) batchBody(prefix string) *template {
	t := new(template).put(`{"RequestItems":{"` + d.tableName(prefix) + `":[`)
	for i := range batchItems {
		t.put(strings.Repeat(",", min(i, 1))+`{"PutRequest":{"Item":`).addItem(d, i).put(`}}`)
	}
	return t.put(`]}}`)
}

const (
	updateExpression = "SET version = version + :one, price = :price"
	updateCondition  = "attribute_exists(pk) AND version >= :one"
	queryCondition   = "pk = :pk"
)

// keys returns how many different keys a request of the workload can be about.
func (w workload) keys(run dataRun) int {
	if w.op == query {
		return run.itemsOf(w.dataset) / pageItems
	}
	return run.itemsOf(w.dataset)
}

// answerSize is about how long the JSON answer is, for the no-op floor.
func (w workload) answerSize() int {
	item := len(new(template).addItem(w.dataset, 0).text)
	switch w.op {
	case getItem:
		return item + len(`{"Item":}`)
	case query:
		return pageItems*(item+1) + len(`{"Items":[],"Count":100,"ScannedCount":100}`)
	case batchWrite:
		return len(`{"UnprocessedItems":{}}`)
	}
	return len(`{}`)
}

// checkAnswer checks that a response body is the expected one for the request about key
// must get. It is cheap, for it runs while the clock runs; the thorough check is made
// before.
func (w workload) checkAnswer(key int, body []byte) error {
	var ok bool
	switch w.op {
	case getItem:
		name := itemPrefix + number(key)
		if w.dataset.sorted {
			name = partPrefix + number(key/pageItems)
		}
		ok = len(body) > w.dataset.bodyWidth() && bytes.Contains(body, []byte(name))
	case query:
		ok = len(body) > pageItems*w.dataset.bodyWidth() && bytes.Contains(body, []byte(partPrefix+number(key))) &&
			bytes.Contains(body, []byte(`"`+number(pageItems-1)+`"`))
	case scan:
		ok = len(body) > w.dataset.bodyWidth() && bytes.Contains(body, []byte(`"ScannedCount":`))
	case batchWrite:
		ok = bytes.Contains(body, []byte("UnprocessedItems")) && !bytes.Contains(body, []byte("PutRequest"))
	default:
		ok = len(bytes.TrimSpace(body)) == 2
	}
	if !ok {
		return fmt.Errorf("%s about key %d: unexpected answer %.300q", w.op, key, body)
	}
	return nil
}
