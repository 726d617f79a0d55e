package bank

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// An Item is a question with its key, for admins.
type Item struct {
	ProjectID string
	ID        string
	Question  question.Question
	Key       question.Key
	Complete  bool // the key is complete
	Order     int
	Source    string
	Revision  int64
	Version   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// A StaleError refuses an edit of a question that was changed since it was read. It holds the
// question as it is now, to compare.
type StaleError struct {
	Current Item
}

// Error returns the text of exambuddy.ErrChanged.
func (e *StaleError) Error() string { return exambuddy.ErrChanged.Error() }

// Unwrap returns exambuddy.ErrChanged, so that fronts render it as a conflict.
func (e *StaleError) Unwrap() error { return exambuddy.ErrChanged }

// Add adds a question. Without a complete key the question is a draft that keeps the project from
// being published. A repeated request adds it once.
func (s *Service) Add(ctx context.Context, admin exambuddy.Admin, projectID string, q question.Question, k question.Key, repeat exambuddy.Repeat) (Item, error) {
	request := repeat.Request(admin.ID, "add question to "+projectID)
	id, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) { return s.add(ctx, admin, projectID, q, k, request) })
	if err != nil {
		return Item{}, err
	}
	return s.Question(ctx, admin, projectID, id)
}

// add stores a question with the receipt of the request. It returns its id.
func (s *Service) add(ctx context.Context, admin exambuddy.Admin, projectID string, q question.Question, k question.Key, request receipt.Request) (string, error) {
	project, err := s.Project(ctx, admin, projectID)
	if err != nil {
		return "", err
	}
	if project.QuestionCount >= exambuddy.MaxQuestions {
		return "", refusal.New(refusal.Conflict, exambuddy.CodeFull, "An exam has at most %d questions.", exambuddy.MaxQuestions)
	}
	q, k = question.Tidy(q, k)
	question.Identify(&q)
	if err := question.Check(q); err != nil {
		return "", err
	}
	complete, err := s.completeKey(q, k)
	if err != nil {
		return "", err
	}
	if !complete && project.Status != exambuddydb.ProjectStatusDraft {
		return "", refusal.New(refusal.Conflict, exambuddy.CodeNotReady, "The exam is published, so a new question needs its answer.")
	}
	now := s.env.Now()
	stored, key, err := s.stored(projectID, s.env.NewID(now), project.QuestionCount+1, q, k, exambuddydb.QuestionSourceManual, nil, now)
	if err != nil {
		return "", err
	}
	tx := s.env.DB.Tx()
	if complete {
		tx.AddQuestion(exambuddydb.AddQuestionParams{Question: stored, AnswerKey: key, AdminID: project.AdminID})
	} else {
		tx.AddUnansweredQuestion(exambuddydb.AddUnansweredQuestionParams{Question: stored, AnswerKey: key, AdminID: project.AdminID})
	}
	s.env.Record(tx, admin.ID, "add question", stored.QuestionID, projectID, nil)
	if err := s.env.Receipts.Add(tx, request, stored.QuestionID); err != nil {
		return "", err
	}
	if err := tx.Commit(ctx); err != nil {
		return "", s.refuse(err, "add question")
	}
	return stored.QuestionID, nil
}

// completeKey reports whether a key is complete. A key that has an answer must be valid.
func (s *Service) completeKey(q question.Question, k question.Key) (bool, error) {
	if len(k.Correct) == 0 && len(k.Pairs) == 0 && len(k.Blanks) == 0 {
		return false, nil
	}
	return true, question.CheckKey(q, k)
}

// stored returns a new question and its key as they are stored.
func (s *Service) stored(projectID, id string, order int64, q question.Question, k question.Key, source exambuddydb.QuestionSource, importID *string, now time.Time) (exambuddydb.Question, exambuddydb.AnswerKey, error) {
	content, err := exambuddy.EncodeQuestion(q)
	if err != nil {
		return exambuddydb.Question{}, exambuddydb.AnswerKey{}, err
	}
	solution, err := exambuddy.EncodeKey(k)
	if err != nil {
		return exambuddydb.Question{}, exambuddydb.AnswerKey{}, err
	}
	return exambuddydb.Question{
			QuestionID: id, ProjectID: projectID, QuestionText: content.Text, TextHash: question.Hash(q), QuestionType: exambuddydb.QuestionQuestionType(content.Type),
			Options: content.Options, Metadata: content.Metadata, Difficulty: difficulty(q), TimeLimitSeconds: content.Limit, Source: source, ImportID: importID,
			Tags: content.Tags, Order: order, Revision: 1, CreatedAt: now, UpdatedAt: now,
		}, exambuddydb.AnswerKey{
			ProjectID: projectID, QuestionID: id, Solution: solution, Explanation: k.Explanation, UpdatedAt: now,
		}, nil
}

func difficulty(q question.Question) exambuddydb.QuestionDifficulty {
	if q.Difficulty == "" {
		return exambuddydb.QuestionDifficultyMedium
	}
	return exambuddydb.QuestionDifficulty(q.Difficulty)
}

// Question returns a question of a project with its key.
func (s *Service) Question(ctx context.Context, admin exambuddy.Admin, projectID, id string) (Item, error) {
	if _, err := s.Project(ctx, admin, projectID); err != nil {
		return Item{}, err
	}
	return s.item(ctx, projectID, id)
}

// QuestionByID returns a question of a project that the admin may edit, by its id alone.
func (s *Service) QuestionByID(ctx context.Context, admin exambuddy.Admin, id string) (Item, error) {
	if !exambuddy.IsID(id) {
		return Item{}, exambuddy.ErrNoQuestion
	}
	found, err := s.env.DB.GetQuestionByID(ctx, id)
	if err != nil {
		return Item{}, exambuddy.Missing(err, exambuddy.ErrNoQuestion)
	}
	if _, err := s.Project(ctx, admin, found.ProjectID); err != nil {
		if _, ok := refusal.As(err, refusal.NotFound); ok {
			return Item{}, exambuddy.ErrNoQuestion
		}
		return Item{}, err
	}
	return s.item(ctx, found.ProjectID, id)
}

func (s *Service) item(ctx context.Context, projectID, id string) (Item, error) {
	if !exambuddy.IsID(id) {
		return Item{}, exambuddy.ErrNoQuestion
	}
	q, err := s.env.DB.GetQuestion(ctx, projectID, id)
	if err != nil {
		return Item{}, exambuddy.Missing(err, exambuddy.ErrNoQuestion)
	}
	k, err := s.env.DB.GetAnswerKey(ctx, projectID, id)
	if err != nil {
		return Item{}, exambuddy.Missing(err, exambuddy.ErrNoQuestion)
	}
	return itemOf(q, k)
}

func itemOf(q exambuddydb.Question, k exambuddydb.AnswerKey) (Item, error) {
	item := Item{
		ProjectID: q.ProjectID, ID: q.QuestionID, Complete: k.Complete, Order: int(q.Order), Source: string(q.Source), Revision: q.Revision, Version: q.Version,
		CreatedAt: q.CreatedAt, UpdatedAt: q.UpdatedAt,
	}
	var err error
	if item.Question, err = exambuddy.QuestionOf(q); err != nil {
		return Item{}, fmt.Errorf("question %s: %w", q.QuestionID, err)
	}
	if item.Key, err = exambuddy.DecodeKey(k.Solution, k.Explanation); err != nil {
		return Item{}, fmt.Errorf("key of question %s: %w", q.QuestionID, err)
	}
	return item, nil
}

// Change replaces a question and its key, if the stored version is the one that the admin has
// read; otherwise the error is a *StaleError. Sessions and attempts keep their own copy.
func (s *Service) Change(ctx context.Context, admin exambuddy.Admin, projectID, id string, version int64, q question.Question, k question.Key) (Item, error) {
	project, err := s.Project(ctx, admin, projectID)
	if err != nil {
		return Item{}, err
	}
	current, err := s.item(ctx, projectID, id)
	if err != nil {
		return Item{}, err
	}
	q, k = question.Tidy(q, k)
	question.Identify(&q)
	if err := question.Check(q); err != nil {
		return Item{}, err
	}
	complete, err := s.completeKey(q, k)
	if err != nil {
		return Item{}, err
	}
	if current.Complete && !complete {
		return Item{}, refusal.OfField(refusal.Field{Name: "key", Constraint: "required"}, "The question needs its answer.")
	}
	if current.Version != version {
		return Item{}, &StaleError{Current: current}
	}
	edit, err := s.edit(current, q, k)
	if err != nil {
		return Item{}, err
	}
	edit.AdminID, edit.Version = project.AdminID, version
	tx := s.env.DB.Tx()
	switch {
	case current.Complete:
		tx.EditQuestion(edit)
	case complete:
		tx.CompleteQuestion(exambuddydb.CompleteQuestionParams(edit))
	default:
		tx.EditUnansweredQuestion(exambuddydb.EditUnansweredQuestionParams(edit))
	}
	s.env.Record(tx, admin.ID, "edit question", id, projectID, nil)
	if err := tx.Commit(ctx); err != nil {
		return Item{}, s.stale(ctx, err, projectID, id)
	}
	return s.item(ctx, projectID, id)
}

// stale returns the refusal of a failed edit, with the question as it is now.
func (s *Service) stale(ctx context.Context, failed error, projectID, id string) error {
	if !exambuddy.Stale(failed) && !exambuddy.Changed[exambuddydb.AnswerKey](failed) {
		return s.refuse(failed, "edit question")
	}
	current, err := s.item(ctx, projectID, id)
	if err != nil {
		return err
	}
	return &StaleError{Current: current}
}

// edit returns the arguments of a change. The revision grows if the question or its answer changes,
// because statistics are for one revision.
func (s *Service) edit(current Item, q question.Question, k question.Key) (exambuddydb.EditQuestionParams, error) {
	content, err := exambuddy.EncodeQuestion(q)
	if err != nil {
		return exambuddydb.EditQuestionParams{}, err
	}
	solution, err := exambuddy.EncodeKey(k)
	if err != nil {
		return exambuddydb.EditQuestionParams{}, err
	}
	revision := current.Revision
	if changesMeaning(current, q, content, solution) {
		revision++
	}
	return exambuddydb.EditQuestionParams{
		ProjectID: current.ProjectID, QuestionID: current.ID, QuestionText: content.Text, TextHash: question.Hash(q), QuestionType: exambuddydb.QuestionQuestionType(content.Type),
		Options: content.Options, Metadata: content.Metadata, Difficulty: difficulty(q), TimeLimitSeconds: content.Limit, Tags: content.Tags, Revision: revision,
		UpdatedAt: s.env.Now(), OldTextHash: question.Hash(current.Question), Solution: solution, Explanation: k.Explanation,
	}, nil
}

func changesMeaning(current Item, q question.Question, content exambuddy.Content, solution json.RawMessage) bool {
	was, err := exambuddy.EncodeQuestion(current.Question)
	if err != nil {
		return true
	}
	had, err := exambuddy.EncodeKey(current.Key)
	if err != nil {
		return true
	}
	return was.Text != content.Text || was.Type != content.Type || !reflect.DeepEqual(was.Options, content.Options) ||
		string(was.Metadata) != string(content.Metadata) || string(had) != string(solution)
}

// Move gives a question another place in the order of its exam.
func (s *Service) Move(ctx context.Context, admin exambuddy.Admin, projectID, id string, version int64, order int) error {
	if order < 1 || order > exambuddy.MaxQuestions {
		return refusal.OutOfRange("order", "range", 1, exambuddy.MaxQuestions, "The place of a question is a number from 1 to %d.", exambuddy.MaxQuestions)
	}
	if _, err := s.Question(ctx, admin, projectID, id); err != nil {
		return err
	}
	_, err := s.env.DB.MoveQuestion(ctx, exambuddydb.QuestionKey{ProjectID: projectID, QuestionID: id}, int64(order), exambuddydb.MoveQuestionParams{UpdatedAt: s.env.Now(), Version: version})
	if err != nil {
		return s.refuse(err, "move question")
	}
	return nil
}

// Remove deletes a question. Attempts keep their own copy.
func (s *Service) Remove(ctx context.Context, admin exambuddy.Admin, projectID, id string) error {
	project, err := s.Project(ctx, admin, projectID)
	if err != nil {
		return err
	}
	if !exambuddy.IsID(id) {
		return exambuddy.ErrNoQuestion
	}
	q, err := s.env.DB.GetQuestion(ctx, projectID, id)
	if err != nil {
		return exambuddy.Missing(err, exambuddy.ErrNoQuestion)
	}
	return s.remove(ctx, admin, project, q)
}

func (s *Service) remove(ctx context.Context, admin exambuddy.Admin, project exambuddydb.Project, q exambuddydb.Question) error {
	params := exambuddydb.RemoveQuestionParams{ProjectID: q.ProjectID, QuestionID: q.QuestionID, Version: q.Version, TextHash: q.TextHash, AdminID: project.AdminID}
	key, err := s.env.DB.GetAnswerKey(ctx, q.ProjectID, q.QuestionID)
	if err != nil {
		return exambuddy.Missing(err, exambuddy.ErrNoQuestion)
	}
	tx := s.env.DB.Tx()
	if key.Complete {
		tx.RemoveQuestion(params)
	} else {
		tx.RemoveUnansweredQuestion(exambuddydb.RemoveUnansweredQuestionParams(params))
	}
	s.env.Record(tx, admin.ID, "remove question", q.QuestionID, q.ProjectID, map[string]string{"text": q.QuestionText})
	if err := tx.Commit(ctx); err != nil {
		return s.refuse(err, "remove question")
	}
	return nil
}

// Questions returns a page of the questions of a project with their keys, in the order of their
// creation.
func (s *Service) Questions(ctx context.Context, admin exambuddy.Admin, projectID string, limit int, cursor string) (access.Page[Item], error) {
	if _, err := s.Project(ctx, admin, projectID); err != nil {
		return access.Page[Item]{}, err
	}
	page, err := s.env.DB.ListQuestionsByProject(projectID).PageSize(exambuddy.Within(limit, exambuddy.PageSize)).Page(ctx, cursor)
	if err != nil {
		return access.Page[Item]{}, exambuddy.BadCursor(err)
	}
	ids := make([]string, len(page.Items))
	for i, q := range page.Items {
		ids[i] = q.QuestionID
	}
	out := access.Page[Item]{Next: page.Next}
	if len(ids) == 0 {
		return out, nil
	}
	keys, err := s.env.DB.GetDrawnKeys(ctx, projectID, ids)
	if err != nil {
		return access.Page[Item]{}, err
	}
	for i, q := range page.Items {
		if keys[i] == nil {
			continue // removed between the two reads
		}
		item, err := itemOf(q, *keys[i])
		if err != nil {
			return access.Page[Item]{}, err
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// Table returns the questions of a project without their texts, in the order of the exam.
func (s *Service) Table(ctx context.Context, admin exambuddy.Admin, projectID string) ([]exambuddydb.ListQuestionTableRow, error) {
	if _, err := s.Project(ctx, admin, projectID); err != nil {
		return nil, err
	}
	return s.env.DB.ListQuestionTable(projectID).Slice(ctx)
}
