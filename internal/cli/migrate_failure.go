package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// failed says what is to be done after a failure of the endpoint. What is done is kept: the next run goes on from there.
func (m *migrating) failed(err error) error {
	if _, advised := errors.AsType[*problem](err); advised || err == nil {
		return err
	}
	if otherKey(err) {
		return m.noControl(err)
	}
	refusal, refused := errors.AsType[smithy.APIError](err)
	err = endpointFailure(m.endpoint, err)
	p, advised := errors.AsType[*problem](err)
	if refused && advised && refusal.ErrorCode() == "AccessDeniedException" {
		p.next = append(p.next, "sortkey iam "+m.path+" --migrate prints what the run needs.")
	}
	return err
}

// noState says why the state row cannot be read.
func (m *migrating) noState(err error) error {
	table := m.table(m.migration.Run.State.Table)
	check := "Check --endpoint, --region and --table-prefix."
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
		return advise(fmt.Errorf("there is no table %s", table), check, "To make the tables: sortkey apply "+m.arguments())
	}
	if otherKey(err) {
		return advise(fmt.Errorf("table %s has another key than the design says, so it is not a table of this design", table), check)
	}
	return endpointFailure(m.endpoint, err)
}

// noControl says why the control table cannot be used.
func (m *migrating) noControl(err error) error {
	if otherKey(err) || strings.Contains(err.Error(), "its primary key is not") {
		return advise(fmt.Errorf("table %s cannot hold how far the run is: its primary key is not pk and sk, both of type S", m.epochs.Control),
			"Name another with --control; the command makes it.")
	}
	return endpointFailure(m.endpoint, err)
}

// otherKey reports whether a table has another key than a request.
func otherKey(err error) bool {
	refusal, refused := errors.AsType[smithy.APIError](err)
	return refused && refusal.ErrorCode() == "ValidationException" &&
		(strings.Contains(refusal.ErrorMessage(), "does not match the schema") || strings.Contains(refusal.ErrorMessage(), "missed key schema element"))
}

// backUp makes a backup of the tables of which the migration removes what cannot be had back, unless an earlier run has made
// it. Endpoints without backups have none, which is said.
func (m *migrating) backUp(ctx context.Context) error {
	for _, table := range m.migration.Lost() {
		name := m.table(table)
		made, err := m.hasBackup(ctx, name)
		if err == nil && !made {
			_, err = m.client.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: &name, BackupName: &m.migration.ID})
		}
		if refusal, ok := errors.AsType[smithy.APIError](err); ok && slices.Contains(noBackups, refusal.ErrorCode()) {
			m.tell.say("table %s was not backed up: the endpoint has no backups", name)
			continue
		}
		if err != nil {
			return fmt.Errorf("back up table %s before attributes of its items, or the table, are removed: %w", name, err)
		}
	}
	return nil
}

// noBackups lists the codes of errors of endpoints that do not know backups.
var noBackups = []string{"UnknownOperationException", "UnsupportedOperationException", "NotImplemented"}

// hasBackup reports whether a table has a backup of the migration.
func (m *migrating) hasBackup(ctx context.Context, table string) (bool, error) {
	in := &dynamodb.ListBackupsInput{TableName: &table}
	for {
		out, err := m.client.ListBackups(ctx, in)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(out.BackupSummaries, func(b types.BackupSummary) bool { return aws.ToString(b.BackupName) == m.migration.ID }) {
			return true, nil
		}
		if in.ExclusiveStartBackupArn = out.LastEvaluatedBackupArn; in.ExclusiveStartBackupArn == nil {
			return false, nil
		}
	}
}
