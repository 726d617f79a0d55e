package catalog

import (
	"context"
	"maps"
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// The policies of a table and of its streams are stored in the record of the table, and so are
// deleted with it. They are stored and returned, not enforced.

// policyOwner returns the table that a request about a policy names. It is nil for a stream of
// a deleted table, which no longer has a policy.
func (c *Catalog) policyOwner(r request.Resource) (*Table, error) {
	switch {
	case r.Table.Partition != partition, r.Table.Region != c.opts.Region:
		return nil, dynamo.Invalid("One or more parameter values were invalid: Invalid resource Arn: %s", r.ARN)
	case r.Table.Account != c.opts.Account:
		return nil, dynamo.Invalid("This action is only supported by accounts that match the resource owner’s account.")
	}
	stream := c.StreamByARN(r.ARN)
	t := c.Lookup(r.Table.Name)
	switch {
	case stream != nil && (t == nil || t.ID != stream.TableID):
		return nil, nil
	case t == nil:
		return nil, dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Table: %s not found", r.Table.Name)
	case r.Label != "" && stream == nil:
		return nil, dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Stream: %s not found for Table: %s", r.Label, r.Table.Name)
	}
	return t, nil
}

// policyOf returns the policy of a table or of the stream with a label, nil when there is none.
func (t *Table) policyOf(label string) *dynamo.ResourcePolicy {
	if label == "" {
		return t.Definition.Policy
	}
	if p, ok := t.StreamPolicies[label]; ok {
		return &p
	}
	return nil
}

// GetResourcePolicy returns the policy of a table or a stream.
func (c *Catalog) GetResourcePolicy(r request.Resource) (*dynamo.ResourcePolicy, error) {
	t, err := c.policyOwner(r)
	if err != nil {
		return nil, err
	}
	if t != nil {
		if p := t.policyOf(r.Label); p != nil {
			return p, nil
		}
	}
	return nil, policyNotFound("%s", r.ARN)
}

// PutResourcePolicy sets the policy of a table or a stream and returns its revision. An
// unchanged policy keeps its revision.
func (c *Catalog) PutResourcePolicy(ctx context.Context, req *request.PutResourcePolicy) (revision string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, err := c.policyOwner(req.Resource)
	if err != nil {
		return "", err
	}
	if t == nil {
		return "", dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Table: %s not found", req.Resource.Table.Name)
	}
	before := t.policyOf(req.Resource.Label)
	if err := checkRevision(t, before, req.Expected); err != nil {
		return "", err
	}
	if before != nil && before.Document == req.Document {
		return before.Revision, nil
	}
	next := dynamo.ResourcePolicy{Document: req.Document, Revision: c.newRevision(before)}
	if err := c.setPolicy(ctx, t, req.Resource.Label, &next); err != nil {
		return "", err
	}
	return next.Revision, nil
}

// DeleteResourcePolicy deletes the policy of a table or a stream and returns its revision;
// empty when there was none.
func (c *Catalog) DeleteResourcePolicy(ctx context.Context, req *request.DeleteResourcePolicy) (revision string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, err := c.policyOwner(req.Resource)
	if err != nil || t == nil {
		return "", err
	}
	before := t.policyOf(req.Resource.Label)
	if err := checkRevision(t, before, req.Expected); err != nil || before == nil {
		return "", err
	}
	return before.Revision, c.setPolicy(ctx, t, req.Resource.Label, nil)
}

// checkRevision compares the current policy with the revision that a request expects.
func checkRevision(t *Table, before *dynamo.ResourcePolicy, expected string) error {
	switch {
	case expected == "":
		return nil
	case expected == request.NoPolicy:
		if before == nil {
			return nil
		}
		return policyNotFound("Requested policy update expecting none to be present for table %s, but a policy exists with revision id %s.", t.Name(), before.Revision)
	case before == nil:
		return policyNotFound("Requested update for policy with revision id %s, but table %s has no associated policy.", expected, t.Name())
	case before.Revision != expected:
		return policyNotFound("Requested update for policy with revision id %s, but the policy associated to target table %s has revision id %s.", expected, t.Name(), before.Revision)
	}
	return nil
}

func policyNotFound(format string, args ...any) error {
	return dynamo.Errorf(dynamo.PolicyNotFound, "Resource-based policy not found for the provided ResourceArn: "+format, args...)
}

// newRevision returns the time in milliseconds, or the next number after the revision before if that is greater.
func (c *Catalog) newRevision(before *dynamo.ResourcePolicy) string {
	now := c.opts.Now().UnixMilli()
	if before != nil {
		if last, err := strconv.ParseInt(before.Revision, 10, 64); err == nil {
			now = max(now, last+1)
		}
	}
	return strconv.FormatInt(now, 10)
}

// setPolicy stores the policy of a table or of the stream with a label; nil removes it. The
// caller holds mu.
func (c *Catalog) setPolicy(ctx context.Context, t *Table, label string, p *dynamo.ResourcePolicy) error {
	rec := t.record
	switch {
	case label == "":
		rec.Definition.Policy = p
	default:
		rec.StreamPolicies = maps.Clone(rec.StreamPolicies)
		if rec.StreamPolicies == nil {
			rec.StreamPolicies = map[string]dynamo.ResourcePolicy{}
		}
		if p == nil {
			delete(rec.StreamPolicies, label)
		} else {
			rec.StreamPolicies[label] = *p
		}
	}
	_, err := c.publish(ctx, t, rec, nil)
	return err
}
