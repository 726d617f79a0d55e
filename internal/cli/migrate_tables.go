package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
)

// tables makes, removes or takes back tables and indexes.
func (m *migrating) tables(ctx context.Context, step string) error {
	tables, removes := m.migration.TablesAt(step)
	if err := m.streamsAt(ctx, step, tables); err != nil {
		return err
	}
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

// streamsAt gives tables whose items get parts a stream for the time of the migration, by which it is watched, and removes it at the
// end. Tables that have a stream keep it: another view is another stream.
func (m *migrating) streamsAt(ctx context.Context, step string, tables []provision.Table) error {
	if !m.streams(ctx) {
		return nil
	}
	for i := range tables {
		t := &tables[i]
		if t.Stream != "" || !slices.ContainsFunc(m.migration.Parts, func(p migrate.Part) bool { return p.Table == t.Name && p.To == "" && p.Unique == nil && p.Count == nil }) {
			continue
		}
		name, own := m.table(t.Name), "stream of "+t.Name
		out, err := m.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
			continue
		}
		if err != nil {
			return err
		}
		view := ""
		if s := out.Table.StreamSpecification; s != nil && s.StreamEnabled != nil && *s.StreamEnabled {
			view = strings.ToLower(string(s.StreamViewType))
		}
		noted, err := migrate.Noted(ctx, m.epochs, m.migration.Migration, own)
		switch {
		case err != nil:
			return err
		case step == "expand" && view == "":
			if err := migrate.Note(ctx, m.epochs, m.migration.Migration, own); err != nil {
				return err
			}
			t.Stream = "new_and_old_images"
		case step == "expand":
			t.Stream = view
		case noted && view != "":
			off := &dynamodb.UpdateTableInput{TableName: &name, StreamSpecification: &types.StreamSpecification{StreamEnabled: new(false)}}
			if _, err := m.client.UpdateTable(ctx, off); err != nil {
				return fmt.Errorf("remove the stream of table %s: %w", name, err)
			}
		}
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
