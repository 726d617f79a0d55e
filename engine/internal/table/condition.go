package table

import (
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// A guard is the condition of a write.
type guard struct {
	condition       *expression.Condition // nil: always holds
	returnOnFailure bool
}

// bind checks the condition against the schema of t.
func (g guard) bind(t *catalog.Table) error {
	if g.condition == nil {
		return nil
	}
	return checkScalarKeys(t, g.condition.NestedNames())
}

// check returns DynamoDB's error when the condition does not hold for old.
func (g guard) check(old dynamo.Item) error {
	if g.condition == nil {
		return nil
	}
	ok, err := g.condition.Matches(old)
	if err != nil || ok {
		return err
	}
	failed := dynamo.Errorf(dynamo.ConditionalCheckFailed, "The conditional request failed")
	if g.returnOnFailure {
		failed.Item = old.Clone()
	}
	return failed
}
