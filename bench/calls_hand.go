package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/bench/internal/exams/examsdb"
)

// handWay is code as a careful programmer writes it for the SDK: literals for
// requests and items, and every attribute decoded by name. It sends what generated
// code sends.
type handWay struct{ api access.API }

var _ way = handWay{}

var errNoItem = errors.New("there is no such item")

func (w handWay) get(ctx context.Context, candidateID, attemptID string, look func(examsdb.Attempt) error) error {
	out, err := w.api.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String(examTable),
		Key: map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: "CANDIDATE#" + candidateID},
			"SK": &types.AttributeValueMemberS{Value: "ATTEMPT#" + attemptID},
		},
		ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return err
	}
	if out.Item == nil {
		return errNoItem
	}
	attempt, err := readAttempt(out.Item)
	if err != nil || look == nil {
		return err
	}
	return look(attempt)
}

// newest queries a list and a page.
func (w handWay) newest(ctx context.Context, candidateID string) ([]examsdb.Attempt, map[string]types.AttributeValue, error) {
	out, err := w.api.Query(ctx, &dynamodb.QueryInput{
		TableName:                aws.String(examTable),
		KeyConditionExpression:   aws.String("#PK = :PK AND begins_with(#SK, :SK)"),
		ExpressionAttributeNames: map[string]string{"#PK": "PK", "#SK": "SK"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":PK": &types.AttributeValueMemberS{Value: "CANDIDATE#" + candidateID},
			":SK": &types.AttributeValueMemberS{Value: "ATTEMPT#"},
		},
		ScanIndexForward: aws.Bool(false),
		Limit:            aws.Int32(callPage),
	})
	if err != nil {
		return nil, nil, err
	}
	attempts := make([]examsdb.Attempt, 0, len(out.Items))
	for _, item := range out.Items {
		attempt, err := readAttempt(item)
		if err != nil {
			return nil, nil, err
		}
		attempts = append(attempts, attempt)
	}
	return attempts, out.LastEvaluatedKey, nil
}

func (w handWay) list(ctx context.Context, candidateID string, look func([]examsdb.Attempt) error) error {
	attempts, _, err := w.newest(ctx, candidateID)
	if err != nil || look == nil {
		return err
	}
	return look(attempts)
}

func (w handWay) page(ctx context.Context, candidateID string, look func([]examsdb.Attempt) error) (string, error) {
	attempts, last, err := w.newest(ctx, candidateID)
	if err != nil {
		return "", err
	}
	next, err := keyCursor(last)
	if err != nil || look == nil {
		return next, err
	}
	return next, look(attempts)
}

// keyCursor returns a key as programs without a library for it put it into a URL. It is
// bound to nothing.
func keyCursor(key map[string]types.AttributeValue) (string, error) {
	if len(key) == 0 {
		return "", nil
	}
	var texts struct{ PK, SK string }
	r := itemReader{item: key}
	texts.PK, texts.SK = r.text("PK"), r.text("SK")
	if r.err != nil {
		return "", r.err
	}
	text, err := json.Marshal(texts)
	return base64.RawURLEncoding.EncodeToString(text), err
}

func (w handWay) create(ctx context.Context, token examsdb.RefreshToken) error {
	_, err := w.api.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String(examTable),
		Item: map[string]types.AttributeValue{
			"PK":           &types.AttributeValueMemberS{Value: "TOKEN#" + token.TokenHash},
			"SK":           &types.AttributeValueMemberS{Value: "TOKEN"},
			"GSI1PK":       &types.AttributeValueMemberS{Value: "USER#" + token.UserID},
			"GSI1SK":       &types.AttributeValueMemberS{Value: "TOKEN#" + token.TokenHash},
			"EntityType":   &types.AttributeValueMemberS{Value: "RefreshToken"},
			"token_hash":   &types.AttributeValueMemberS{Value: token.TokenHash},
			"user_id":      &types.AttributeValueMemberS{Value: token.UserID},
			"email":        &types.AttributeValueMemberS{Value: token.Email},
			"user_agent":   &types.AttributeValueMemberS{Value: token.UserAgent},
			"created_at":   timeValue(token.CreatedAt),
			"last_used_at": timeValue(token.LastUsedAt),
			"valid_until":  timeValue(token.ValidUntil),
			"ttl":          numberValue(token.TTL.Unix()),
		},
		ConditionExpression:                 aws.String("attribute_not_exists(#PK)"),
		ExpressionAttributeNames:            map[string]string{"#PK": "PK"},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	return err
}

func (w handWay) put(ctx context.Context, q examsdb.PaperQuestion) error {
	item := map[string]types.AttributeValue{
		"PK":            &types.AttributeValueMemberS{Value: "ATTEMPT#" + q.AttemptID},
		"SK":            &types.AttributeValueMemberS{Value: fmt.Sprintf("PAPER#%03d", q.Position)},
		"EntityType":    &types.AttributeValueMemberS{Value: "PaperQuestion"},
		"attempt_id":    &types.AttributeValueMemberS{Value: q.AttemptID},
		"position":      numberValue(q.Position),
		"question_id":   &types.AttributeValueMemberS{Value: q.QuestionID},
		"question_text": &types.AttributeValueMemberS{Value: q.QuestionText},
		"question_type": &types.AttributeValueMemberS{Value: q.QuestionType},
		"options":       textsValue(q.Options),
		"solution":      solutionValue(q.Solution),
		"explanation":   &types.AttributeValueMemberS{Value: q.Explanation},
		"seconds":       numberValue(q.Seconds),
	}
	if q.TTL != nil {
		item["ttl"] = numberValue(q.TTL.Unix())
	}
	_, err := w.api.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(examTable), Item: item})
	return err
}

func (w handWay) present(ctx context.Context, attemptID string, p examsdb.PresentQuestionParams, look func(examsdb.ExamSession) error) error {
	out, err := w.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String(examTable),
		Key: map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: "ATTEMPT#" + attemptID},
			"SK": &types.AttributeValueMemberS{Value: "SESSION"},
		},
		UpdateExpression:    aws.String("SET #current_position = :current_position, #last_seen_at = :last_seen_at, #presented_at = :presented_at"),
		ConditionExpression: aws.String("attribute_exists(#PK) AND #status = :status AND #current_position = :previous_position"),
		ExpressionAttributeNames: map[string]string{
			"#current_position": "current_position", "#presented_at": "presented_at", "#last_seen_at": "last_seen_at", "#PK": "PK", "#status": "status",
		},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":current_position":  numberValue(p.CurrentPosition),
			":presented_at":      timeValue(*p.PresentedAt),
			":last_seen_at":      timeValue(p.LastSeenAt),
			":status":            &types.AttributeValueMemberS{Value: string(examsdb.ExamSessionStatusStarted)},
			":previous_position": numberValue(p.PreviousPosition),
		},
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if err != nil {
		return err
	}
	session, err := readSession(out.Attributes)
	if err != nil || look == nil {
		return err
	}
	return look(session)
}

func (w handWay) answer(ctx context.Context, answer examsdb.AnswerSelection, at time.Time) error {
	_, err := w.api.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String(rand.Text()),
		TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{
				TableName:                           aws.String(examTable),
				Item:                                answerItem(answer),
				ConditionExpression:                 aws.String("attribute_not_exists(#PK)"),
				ExpressionAttributeNames:            map[string]string{"#PK": "PK"},
				ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
			}},
			{Update: &types.Update{
				TableName: aws.String(examTable),
				Key: map[string]types.AttributeValue{
					"PK": &types.AttributeValueMemberS{Value: "ATTEMPT#" + answer.AttemptID},
					"SK": &types.AttributeValueMemberS{Value: "SESSION"},
				},
				UpdateExpression:    aws.String("SET #last_seen_at = :last_seen_at ADD #answered_count :answered_count"),
				ConditionExpression: aws.String("attribute_exists(#PK) AND #status = :status AND #current_position = :position"),
				ExpressionAttributeNames: map[string]string{
					"#last_seen_at": "last_seen_at", "#answered_count": "answered_count", "#PK": "PK", "#status": "status", "#current_position": "current_position",
				},
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":last_seen_at":   timeValue(at),
					":answered_count": numberValue(1),
					":status":         &types.AttributeValueMemberS{Value: string(examsdb.ExamSessionStatusStarted)},
					":position":       numberValue(answer.Position),
				},
				ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
			}},
		},
	})
	return err
}
