package table

import (
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/request"
)

// checkCondition checks a condition or filter, which may be nil, against the
// schema of t.
func checkCondition(t *catalog.Table, c *expression.Condition) error {
	if c == nil {
		return nil
	}
	return checkScalarKeys(t, c.NestedNames())
}

// checkHolds returns DynamoDB's error when the condition of a write does not hold for old.
func checkHolds(req *request.Write, old dynamo.Item) error {
	if req.Condition == nil {
		return nil
	}
	ok, err := req.Condition.Matches(old)
	if err != nil || ok {
		return err
	}
	if req.Insert {
		return dynamo.Errorf(dynamo.DuplicateItem, "Duplicate primary key exists in table")
	}
	failed := dynamo.Errorf(dynamo.ConditionalCheckFailed, "The conditional request failed")
	if req.ReturnOnFailure {
		failed.Item = old.Clone()
	}
	return failed
}
