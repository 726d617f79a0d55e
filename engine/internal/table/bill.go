package table

import (
	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// A bill adds up the cost of a transaction, table by table in the order of their first
// use.
type bill struct {
	detail   request.CapacityDetail
	write    bool
	tables   []string
	accounts []capacity.Account
}

func newBill(detail request.CapacityDetail, write bool) *bill {
	return &bill{detail: detail, write: write}
}

// add adds the cost of one action on the table that the request names.
func (b *bill) add(table string, account *capacity.Account) {
	if b.detail == request.CapacityNone {
		return
	}
	for i, name := range b.tables {
		if name == table {
			b.accounts[i].Add(account)
			return
		}
	}
	b.tables = append(b.tables, table)
	b.accounts = append(b.accounts, capacity.Account{})
	b.accounts[len(b.accounts)-1].Add(account)
}

// consumed returns the bill as a response shows it.
func (b *bill) consumed() (all []dynamo.ConsumedCapacity) {
	for i, table := range b.tables {
		c := b.accounts[i].Consumed(table, b.write, b.detail == request.CapacityIndexes)
		c.Named = true
		all = append(all, *c)
	}
	return all
}
