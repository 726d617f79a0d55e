package bank

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// A Filter says which questions of a project to find. The zero Filter finds all.
type Filter struct {
	Type       question.Type
	Difficulty question.Difficulty
	Tag        string
	Text       string // in the question, its passage, its options or its explanation
	Unanswered bool   // only those without a complete key
}

// Empty reports whether the filter finds all questions.
func (f Filter) Empty() bool { return f == Filter{} }

// A Search holds the questions that were found in a project.
type Search struct {
	Items []Item   // in the order of the exam
	Total int      // questions of the project
	Tags  []string // of all questions, sorted
}

// Search returns the questions of a project that a filter finds, in the order of the exam. It reads
// the whole project, which has at most exambuddy.MaxQuestions.
func (s *Service) Search(ctx context.Context, admin exambuddy.Admin, projectID string, filter Filter) (Search, error) {
	if _, err := s.Project(ctx, admin, projectID); err != nil {
		return Search{}, err
	}
	items, err := s.items(ctx, projectID)
	if err != nil {
		return Search{}, err
	}
	out := Search{Total: len(items)}
	for _, item := range items {
		for _, tag := range item.Question.Tags {
			if !slices.Contains(out.Tags, tag) {
				out.Tags = append(out.Tags, tag)
			}
		}
		if filter.finds(item) {
			out.Items = append(out.Items, item)
		}
	}
	slices.Sort(out.Tags)
	return out, nil
}

// items returns all questions of a project with their keys, in the order of the exam.
func (s *Service) items(ctx context.Context, projectID string) ([]Item, error) {
	keys := map[string]exambuddydb.AnswerKey{}
	for key, err := range s.env.DB.ListAnswerKeysByProject(projectID).Limit(0).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the keys of project %s: %w", projectID, err)
		}
		keys[key.QuestionID] = key
	}
	var all []Item
	for q, err := range s.env.DB.ListQuestionsByProject(projectID).Limit(0).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the questions of project %s: %w", projectID, err)
		}
		key, ok := keys[q.QuestionID]
		if !ok {
			continue // added between the two reads
		}
		item, err := itemOf(q, key)
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	slices.SortStableFunc(all, func(a, b Item) int {
		if a.Order != b.Order {
			return a.Order - b.Order
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all, nil
}

func (f Filter) finds(item Item) bool {
	q := item.Question
	switch {
	case f.Type != "" && q.Type != f.Type, f.Difficulty != "" && q.Difficulty != f.Difficulty, f.Tag != "" && !slices.Contains(q.Tags, f.Tag), f.Unanswered && item.Complete:
		return false
	case f.Text == "":
		return true
	}
	texts := []string{q.Text, q.Passage, item.Key.Explanation}
	for _, list := range [][]question.Option{q.Options, q.Targets, q.Statements} {
		for _, o := range list {
			texts = append(texts, o.Text)
		}
	}
	wanted := question.Canonical(f.Text)
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(question.Canonical(text), wanted) })
}

// Reorder moves a question to a place in the order of its exam, counted from 1. The questions between
// follow.
func (s *Service) Reorder(ctx context.Context, admin exambuddy.Admin, projectID, id string, place int) error {
	if _, err := s.Project(ctx, admin, projectID); err != nil {
		return err
	}
	items, err := s.items(ctx, projectID)
	if err != nil {
		return err
	}
	from := slices.IndexFunc(items, func(item Item) bool { return item.ID == id })
	if from < 0 {
		return exambuddy.ErrNoQuestion
	}
	if place < 1 || place > len(items) {
		return refusal.OutOfRange("place", "range", 1, len(items), "The exam has %d questions.", len(items))
	}
	moved := items[from]
	items = slices.Insert(slices.Delete(items, from, from+1), place-1, moved)
	for i, item := range items {
		if item.Order == i+1 {
			continue
		}
		_, err := s.env.DB.MoveQuestion(ctx, exambuddydb.QuestionKey{ProjectID: projectID, QuestionID: item.ID}, int64(i+1), exambuddydb.MoveQuestionParams{UpdatedAt: s.env.Now(), Version: item.Version})
		if err != nil {
			return s.refuse(err, "move question")
		}
	}
	return nil
}

// Duplicate adds a copy of a question. Its text says that it is one, because an exam has no two
// questions with the same text. A repeated request returns the same copy.
func (s *Service) Duplicate(ctx context.Context, admin exambuddy.Admin, projectID, id string, repeat exambuddy.Repeat) (Item, error) {
	item, err := s.Question(ctx, admin, projectID, id)
	if err != nil {
		return Item{}, err
	}
	request := repeat.Request(admin.ID, "copy question "+id)
	copied, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) { return s.copy(ctx, admin, item, request) })
	if err != nil {
		return Item{}, err
	}
	return s.Question(ctx, admin, projectID, copied)
}

func (s *Service) copy(ctx context.Context, admin exambuddy.Admin, item Item, request receipt.Request) (string, error) {
	for n := 1; ; n++ {
		copied := item.Question
		copied.Text = fmt.Sprintf("%s (copy %d)", item.Question.Text, n)
		if n == 1 {
			copied.Text = item.Question.Text + " (copy)"
		}
		id, err := s.add(ctx, admin, item.ProjectID, copied, item.Key, request)
		if !errors.Is(err, exambuddy.ErrDuplicate) || n == exambuddy.PageSize {
			return id, err
		}
	}
}
