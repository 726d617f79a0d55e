package claim

import (
	"maps"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// layoutFunctions lists functions about tables, keys, DynamoDB's limits and alternative
// layouts.
var layoutFunctions = []*Function{
	{Name: "tables", Doc: "Number of tables.",
		call: func(env Env, _ []argument) (value, error) { return count(len(env.Layout.Design().Tables)), nil }},
	{Name: "indexes", Doc: "Number of indexes, in all tables or in one.", params: []param{maybe("table")},
		call: ofIndexes(func(*model.Index) bool { return true })},
	{Name: "gsis", Doc: "Number of global indexes, in all tables or in one.", params: []param{maybe("table")},
		call: ofIndexes(func(x *model.Index) bool { return !x.Local })},
	{Name: "key_attributes", Doc: "Number of key attributes of tables and indexes, each counted once per table.",
		params: []param{maybe("table")}, call: keyAttributes},
	{Name: "limit", Doc: "A fact of DynamoDB: " + limitNames() + ".", params: []param{word("name")}, call: limit},
	{Name: "alternative", Doc: "A formula computed on the tables of an alternative.",
		params: []param{word("name"), number("formula")}, scope: Env.alternative,
		call: func(_ Env, args []argument) (value, error) { return args[1].value, nil }},
}

// chosen returns all tables, or the named one.
func chosen(env Env, args []argument) ([]*model.Table, error) {
	all := env.Layout.Design().Tables
	if len(args) == 0 {
		return all, nil
	}
	for _, t := range all {
		if t.Name == args[0].word {
			return []*model.Table{t}, nil
		}
	}
	names := namesOf(all, func(t *model.Table) string { return t.Name })
	return nil, args[0].about("no table is called %s%s", args[0].word, diag.DidYouMean(args[0].word, names))
}

func ofIndexes(counted func(*model.Index) bool) func(Env, []argument) (value, error) {
	return func(env Env, args []argument) (value, error) {
		tables, err := chosen(env, args)
		n := 0
		for _, t := range tables {
			for _, index := range t.Indexes {
				if counted(index) {
					n++
				}
			}
		}
		return count(n), err
	}
}

func keyAttributes(env Env, args []argument) (value, error) {
	tables, err := chosen(env, args)
	n := 0
	for _, t := range tables {
		names := map[string]bool{t.PK.Name: true}
		if t.SK.Name != "" {
			names[t.SK.Name] = true
		}
		for _, index := range t.Indexes {
			for _, key := range slices.Concat(index.PK, index.SK) {
				names[key.Name] = true
			}
		}
		n += len(names)
	}
	return count(n), err
}

// limits maps names to DynamoDB's limits.
var limits = map[string]value{
	"transaction_actions": plain(exact.Int(100)),
	"transaction_tables":  plain(exact.Int(100)), // every action may be in another table
	"item":                bytes(exact.Int(400), 1<<10),
	"page":                bytes(exact.Int(1), 1<<20),
	"batch_get":           plain(exact.Int(100)),
	"batch_write":         plain(exact.Int(25)),
	"partition_wcu":       plain(exact.Int(1000)),
	"partition_rcu":       plain(exact.Int(3000)),
	"item_overhead":       bytes(exact.Int(100), 1), // per item and index entry
	"mode_switches":       plain(exact.Int(4)),      // to on-demand, in 24 hours
	"index_key_change":    plain(exact.Int(2)),      // index writes when an index key changes
}

func limitNames() string {
	list := ""
	for i, name := range slices.Sorted(maps.Keys(limits)) {
		if i > 0 {
			list += ", "
		}
		list += name
	}
	return list
}

func limit(_ Env, args []argument) (value, error) {
	if err := args[0].oneOf(slices.Sorted(maps.Keys(limits))...); err != nil {
		return value{}, err
	}
	return limits[args[0].word], nil
}
