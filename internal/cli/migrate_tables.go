package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/provision"
)

// tables makes, removes or takes back tables and indexes.
func (m *migrating) tables(ctx context.Context, step string) error {
	tables, removes := m.migration.TablesAt(step)
	if step == "contract" {
		if err := m.backUp(ctx); err != nil {
			return err
		}
	}
	o := applyConfig{endpoint: m.endpoint, prefix: m.prefix, accept: removes}.options(m.tell)
	o.RemoveIndex = func(table, index string) bool { // only those of the versions: others are not the run's
		return removes && m.migration.HasIndex(strings.TrimPrefix(table, m.prefix), index)
	}
	_, err := provision.Apply(ctx, m.client, tables, o)
	if refused, ok := errors.AsType[*provision.RefusedError](err); ok {
		return cannotApply(refused)
	}
	switch {
	case err != nil:
		return err
	case step == "contract" && m.drop:
		return m.drops(ctx, without(m.migration.Before, m.migration.After), false)
	case step == "withdraw":
		return m.drops(ctx, without(m.migration.During, m.migration.Before), true)
	}
	return nil
}

// without returns the names of the tables that others do not have.
func without(tables, others []provision.Table) []string {
	var names []string
	for _, t := range tables {
		if !slices.ContainsFunc(others, func(o provision.Table) bool { return o.Name == t.Name }) {
			names = append(names, t.Name)
		}
	}
	return names
}

// drops deletes tables, or those of them that are empty. The table of the state row stays.
func (m *migrating) drops(ctx context.Context, names []string, ifEmpty bool) error {
	for _, name := range names {
		if name == m.migration.Run.State.Table {
			m.tell.clear()
			fmt.Fprintf(m.s.err, "table %s stays: it holds the state of the migrations\n", m.table(name))
			continue
		}
		table := m.table(name)
		if ifEmpty {
			out, err := m.client.Scan(ctx, &dynamodb.ScanInput{TableName: &table, Limit: new(int32(1)), ConsistentRead: new(true)})
			if err != nil || len(out.Items) > 0 {
				continue // it was not made, or programs use it
			}
		}
		_, err := m.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &table})
		if _, gone := errors.AsType[*types.ResourceNotFoundException](err); err != nil && !gone {
			return fmt.Errorf("delete table %s: %w", table, err)
		}
	}
	return nil
}
