package oracle

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// BatchStatements is a step of several writing statements, independent of each other.
type BatchStatements struct{ Statements []Step }

func (s BatchStatements) do(ctx context.Context, db Tables) (any, error) {
	in := &dynamodb.BatchExecuteStatementInput{}
	for _, one := range s.Statements {
		text, parameters := one.(writeStatement).statement()
		in.Statements = append(in.Statements, types.BatchStatementRequest{Statement: &text, Parameters: parameters})
	}
	return db.BatchExecuteStatement(ctx, in)
}

func (s BatchStatements) expect(m *Model) (any, *Failure) {
	if len(s.Statements) == 0 { // if all were left out
		return nil, refuse()
	}
	out := &dynamodb.BatchExecuteStatementOutput{}
	for _, one := range s.Statements {
		answer, f := one.expect(m)
		response := types.BatchStatementResponse{}
		table := tableOf(one)
		if f == nil {
			if items := answer.(*dynamodb.ExecuteStatementOutput).Items; len(items) > 0 {
				response.Item = items[0]
			}
			response.TableName = &table
		} else {
			response.Error = &types.BatchStatementError{Code: types.BatchStatementErrorCodeEnum(batchCode(f.Code))}
			if batchCode(f.Code) == "ConditionalCheckFailed" || batchCode(f.Code) == "DuplicateItem" {
				response.TableName = &table
			}
		}
		out.Responses = append(out.Responses, response)
	}
	return out, nil
}

// check is like that of other steps, but does not compare the messages inside of responses:
// one of several is possible.
func (s BatchStatements) check(ctx context.Context, p *player) *Problem {
	want, failure := s.expect(p.model)
	got, err := s.do(ctx, p.db.Tables())
	if out, ok := got.(*dynamodb.BatchExecuteStatementOutput); ok && out != nil {
		for i := range out.Responses {
			if out.Responses[i].Error != nil {
				out.Responses[i].Error.Message = nil
			}
		}
	}
	return p.compare(got, want, err, failure)
}

// batchCode returns the code of an error inside a batch.
func batchCode(code string) string {
	if code == "ValidationException" {
		return "ValidationError"
	}
	return strings.TrimSuffix(code, "Exception")
}

// tableOf returns the table that a statement writes to, by its own name.
func tableOf(s Step) string { return strings.TrimPrefix(givenTable(s), arn) }

// givenTable returns the table that a statement writes to as the statement names it.
func givenTable(s Step) string {
	switch s := s.(type) {
	case Insert:
		return s.Table
	case UpdateStatement:
		return s.Table
	case DeleteStatement:
		return s.Table
	}
	return ""
}
