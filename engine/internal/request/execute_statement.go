package request

import (
	"strconv"
	"unicode/utf8"

	"sortkey.dev/engine/internal/dynamo"
)

// ExecuteStatement is a checked ExecuteStatementInput. Its text is not parsed yet: see
// package partiql.
type ExecuteStatement struct {
	Text            string
	Parameters      dynamo.RawParameters
	Consistent      bool
	Limit           int    // 0: none
	NextToken       string // empty: none
	Capacity        CapacityDetail
	ReturnOnFailure bool
}

// CheckExecuteStatement checks the members of the input of ExecuteStatement.
func CheckExecuteStatement(in *dynamo.ExecuteStatementInput) (*ExecuteStatement, error) {
	var v violations
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	v.statement("", in.Statement)
	v.parameters("", in.Parameters)
	if in.NextToken != nil {
		v.characters(1, dynamo.MaxNextToken, *in.NextToken, "nextToken")
	}
	if in.Limit != nil {
		v.atLeast(1, int64(*in.Limit), "limit")
	}
	returnOnFailure.check(in.ReturnValuesOnConditionCheckFailure, &v)
	if err := v.err(); err != nil {
		return nil, err
	}
	return &ExecuteStatement{
		Text:            *in.Statement,
		Parameters:      in.Parameters,
		Consistent:      isTrue(in.ConsistentRead),
		Limit:           limitOf(in.Limit),
		NextToken:       textOf(in.NextToken),
		Capacity:        capacityDetails.value(in.ReturnConsumedCapacity),
		ReturnOnFailure: returnOnFailure.value(in.ReturnValuesOnConditionCheckFailure),
	}, nil
}

// statement checks the text of a statement; path is its member path, with a trailing dot.
func (v *violations) statement(path string, text *string) {
	if text == nil {
		v.missing(path + "statement")
		return
	}
	v.characters(1, dynamo.MaxStatement, *text, path+"statement")
}

// parameters checks the number of parameters, if any were sent.
func (v *violations) parameters(path string, p dynamo.RawParameters) {
	if p.Values != nil && len(p.Values) == 0 {
		v.broken("[]", path+"parameters", lengthAtLeast(1))
	}
}

// characters checks the length of a text in characters.
func (v *violations) characters(least, most int, value, path string) {
	n := utf8.RuneCountInString(value)
	if n < least {
		v.broken(value, path, lengthAtLeast(least))
	}
	if n > most {
		v.broken(value, path, lengthAtMost(most))
	}
}

// checkStatements checks the statements of a batch or a transaction.
func (v *violations) checkStatements(list []dynamo.BatchStatement, path, java string, most int) {
	switch {
	case list == nil:
		v.missing(path)
	case len(list) == 0:
		v.broken("[]", path, lengthAtLeast(1))
	case len(list) > most:
		v.broken(javaList(list, func(s *dynamo.BatchStatement) string { return javaStatement(java, s) }), path, lengthAtMost(most))
	}
	for i := range list {
		if len(*v) >= maxViolations {
			return
		}
		at := memberPath(path, i) + "."
		v.statement(at, list[i].Statement)
		v.parameters(at, list[i].Parameters)
		returnOnFailure.checkAt(at+returnOnFailure.path, list[i].ReturnValuesOnConditionCheckFailure, v)
	}
}

// javaStatement prints a statement in Java's format.
func javaStatement(name string, s *dynamo.BatchStatement) string {
	text := name + "(statement=" + javaText(s.Statement) + ", parameters=" + javaParameters(s.Parameters)
	if s.ConsistentRead != nil {
		text += ", consistentRead=" + strconv.FormatBool(*s.ConsistentRead)
	}
	return text + ", returnValuesOnConditionCheckFailure=" + javaWord(s.ReturnValuesOnConditionCheckFailure) + ")"
}

func javaParameters(p dynamo.RawParameters) string {
	if p.Values == nil {
		return "null"
	}
	text := "["
	for i, value := range p.Values {
		if i > 0 {
			text += ", "
		}
		text += javaValue(value)
	}
	return text + "]"
}
