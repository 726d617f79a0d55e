package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A feature is something that workloads need and that not every DynamoDB has.
type feature string

const (
	transactions  feature = "transactions"
	streams       feature = "streams"
	onlineIndexes feature = "indexes added to a table that is there"
)

// featureProbes find out whether a DynamoDB has a feature, with tables that are
// gone afterwards.
var featureProbes = map[feature]func(poster, dataRun) (bool, error){
	transactions:  hasTransactions,
	streams:       hasStreams,
	onlineIndexes: hasOnlineIndexes,
}

// needs returns the features that the workload cannot do without.
func (w workload) needs() (all []feature) {
	if w.op == transactWrite {
		all = append(all, transactions)
	}
	if w.dataset.stream {
		all = append(all, streams)
	}
	if w.op == addIndex {
		all = append(all, onlineIndexes)
	}
	return all
}

// missing are features that a DynamoDB does not have.
type missing []feature

// keep returns the first feature that keeps a workload from being done.
func (m missing) keep(w workload) (feature, bool) {
	for _, need := range w.needs() {
		if slices.Contains(m, need) {
			return need, true
		}
	}
	return "", false
}

// possible returns the rows whose workloads can be done.
func (m missing) possible(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
		_, kept := m.keep(r.work)
		return kept
	})
}

// findMissing asks a DynamoDB about the features that the workloads need.
func findMissing(p poster, run dataRun, all []workload) (missing, error) {
	var asked, none []feature
	for _, w := range all {
		for _, need := range w.needs() {
			if slices.Contains(asked, need) {
				continue
			}
			asked = append(asked, need)
			has, err := featureProbes[need](p, run)
			if err != nil {
				return nil, fmt.Errorf("find out about %s: %w", need, err)
			}
			if !has {
				none = append(none, need)
			}
		}
	}
	return none, nil
}

func hasTransactions(p poster, run dataRun) (bool, error) {
	d := &dataset{name: "probe-transact"}
	return d.tryOut(p, run, func() error {
		_, err := call(p, string(transactWrite), []byte(`{"TransactItems":[{"Put":{"TableName":"`+d.tableName(run.prefix)+`","Item":{`+d.keyOf(1)+`}}}]}`))
		return err
	})
}

func hasStreams(p poster, run dataRun) (bool, error) {
	d := &dataset{name: "probe-stream", stream: true}
	return d.tryOut(p, run, func() error {
		arn, shards, err := d.streamShards(p, run)
		for _, shard := range shards {
			var iterator string
			if iterator, err = shardIterator(p, arn, shard, "TRIM_HORIZON"); err != nil {
				break
			}
			if _, err = readPage(p, iterator); err != nil {
				break
			}
		}
		return err
	})
}

func hasOnlineIndexes(p poster, run dataRun) (bool, error) {
	d := &dataset{name: "probe-index"}
	return d.tryOut(p, run, func() error { return d.addIndex(p, run) })
}

// tryOut makes the table and uses it, and reports whether that worked. An error is
// something that went wrong, not something that is missing.
func (d *dataset) tryOut(p poster, run dataRun, use func() error) (worked bool, err error) {
	if err := d.createTable(p, run); isRefusal(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, d.dropTable(p, run)) }()
	err = use()
	if isRefusal(err) {
		return false, nil
	}
	return err == nil, err
}

// isRefusal reports whether an answer says that something is not supported.
func isRefusal(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	return strings.Contains(text, "UnknownOperationException") ||
		strings.Contains(text, "ValidationException") && strings.Contains(text, "not supported")
}
