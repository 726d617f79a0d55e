package iamgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// MostCharacters is the maximum length of a managed policy, without white space.
const MostCharacters = 6144

// ARN holds the parts of the ARNs in a document.
type ARN struct {
	Partition, Region, Account string
	Prefix                     string // prefix of the names of tables
}

// Of returns the ARN of a table, an index or the streams of a table.
func (a ARN) Of(r Resource) string {
	return fmt.Sprintf("arn:%s:dynamodb:%s:%s:table/%s%s", a.Partition, a.Region, a.Account, a.Prefix, r.Table) + r.Below()
}

// Longest returns the maximum length of the ARN without the names of table and index,
// assuming the longest region and account where they are not known yet.
func (a ARN) Longest() int {
	const region, account = "ap-northeast-1", "123456789012"
	known := ARN{a.Partition, a.Region, a.Account, a.Prefix}
	if len(known.Region) < len(region) {
		known.Region = region
	}
	if len(known.Account) < len(account) {
		known.Account = account
	}
	return len(known.Of(Resource{}))
}

// A policyJSON is a document in IAM's JSON format.
type policyJSON struct {
	Version   string
	Statement []statementJSON
}

type statementJSON struct {
	Sid       string
	Effect    string
	Principal string `json:",omitempty"`
	Action    []string
	Resource  []string
	Condition map[string]map[string][]string `json:",omitempty"`
}

// JSON returns the document as indented JSON for IAM.
func (d Document) JSON(arn func(Resource) string) ([]byte, error) {
	compact, err := d.compact(arn)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, compact, "", "  "); err != nil {
		return nil, fmt.Errorf("cannot format the policy: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func (d Document) compact(arn func(Resource) string) ([]byte, error) {
	p := policyJSON{Version: "2012-10-17"}
	for _, s := range d.Statements {
		one := statementJSON{Sid: s.Sid, Effect: "Allow", Condition: s.Conditions()}
		if s.Fence {
			one.Effect, one.Principal = "Deny", "*"
		}
		for _, action := range s.Actions {
			one.Action = append(one.Action, "dynamodb:"+action)
		}
		for _, r := range s.Resources {
			one.Resource = append(one.Resource, arn(r))
		}
		p.Statement = append(p.Statement, one)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // keys may contain <, > and &
	if err := e.Encode(p); err != nil {
		return nil, fmt.Errorf("cannot write the policy: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// Conditions returns the statement's conditions: operator, key, values. Requests of these
// actions always have leading keys, so ForAllValues does not match an empty list. A request
// without a projection names no attribute and would pass dynamodb:Attributes, so
// dynamodb:Select denies it; COUNT names no attributes and returns none.
func (s Statement) Conditions() map[string]map[string][]string {
	conditions := map[string]map[string][]string{}
	put := func(operator, key string, values []string) {
		if conditions[operator] == nil {
			conditions[operator] = map[string][]string{}
		}
		conditions[operator][key] = values
	}
	for i, keys := range append([][]string{s.LeadingKeys}, s.Further...) {
		operator := "ForAllValues:StringEquals"
		if slices.ContainsFunc(keys, hasWildcard) {
			operator = "ForAllValues:StringLike"
		}
		if len(keys) > 0 {
			put(operator, keyConditions[i], keys)
		}
	}
	if len(s.Patterns) > 0 && slices.ContainsFunc(s.Actions, returnsItem) {
		put("StringEqualsIfExists", "dynamodb:ReturnValues", s.returned())
	}
	if len(s.Attributes) > 0 {
		put("ForAllValues:StringEquals", "dynamodb:Attributes", s.Attributes)
		put("StringEqualsIfExists", "dynamodb:Select", []string{"COUNT", "SPECIFIC_ATTRIBUTES"})
	}
	if s.Fence {
		put("Null", "aws:PrincipalTag/"+VersionTag, []string{"true"})
	}
	if len(conditions) == 0 {
		return nil
	}
	return conditions
}

// keyConditions are the condition keys for the attributes of a partition key. Tables and most
// indexes have one.
var keyConditions = []string{
	"dynamodb:LeadingKeys", "dynamodb:SecondPartitionKeyValues", "dynamodb:ThirdPartitionKeyValues", "dynamodb:FourthPartitionKeyValues",
}

// returnsItem reports whether an action can return the item that it changes.
func returnsItem(action string) bool {
	return action == "PutItem" || action == "UpdateItem" || action == "DeleteItem"
}

// returned lists what generated code asks a write to return: nothing, or the item after an update.
// Without the condition a put or delete would return the item that it replaces or deletes.
func (s Statement) returned() []string {
	if slices.Contains(s.Actions, "UpdateItem") {
		return []string{"ALL_NEW", "NONE"}
	}
	return []string{"NONE"}
}

// size returns the number of characters a statement takes of a managed policy.
func (s Statement) size(longest int) int {
	compact, err := Document{Statements: []Statement{s}}.compact(func(r Resource) string {
		return fmt.Sprintf("%*s%s/index/%s", longest, "", r.Table, r.Index)
	})
	if err != nil {
		return MostCharacters + 1
	}
	return len(compact)
}

// cut distributes statements over documents within the size limit. It splits a statement that
// is too long by its keys first.
func cut(statements []Statement, longest int) []Document {
	var all []Document
	used := 0
	for _, s := range divide(statements, longest) {
		size := s.size(longest)
		if len(all) == 0 || used+size > MostCharacters {
			all, used = append(all, Document{}), 0
		}
		last := &all[len(all)-1]
		last.Statements = append(last.Statements, s)
		used += size
	}
	return all
}

// divide halves statements until each fits. Every request has one partition key, or those of
// one pattern, so two lists of keys allow the same as one.
func divide(statements []Statement, longest int) []Statement {
	var all []Statement
	for _, s := range statements {
		part := 1
		rest := []Statement{s}
		for len(rest) > 0 {
			next := rest[0]
			rest = rest[1:]
			if half := len(next.LeadingKeys) / 2; half > 0 && next.size(longest) > MostCharacters {
				first, second := next, next
				first.LeadingKeys, second.LeadingKeys = next.LeadingKeys[:half], next.LeadingKeys[half:]
				rest = append([]Statement{first, second}, rest...)
				continue
			}
			if part > 1 {
				next.Sid = fmt.Sprintf("%sPart%d", s.Sid, part)
			}
			part++
			all = append(all, next)
		}
	}
	return all
}
