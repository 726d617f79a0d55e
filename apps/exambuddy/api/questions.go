package api

import (
	"context"
	"errors"
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// questions serves the operations on questions.
type questions struct {
	bank *bank.Service
}

func (h *questions) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListQuestions, c.admin, h.list),
		openapi.Handle(contract.AddQuestion, c.admin, h.add),
		openapi.Handle(contract.QuestionTable, c.admin, h.table),
		openapi.Handle(contract.CountQuestions, c.admin, h.counts),
		openapi.Handle(contract.GetQuestion, c.admin, h.get),
		openapi.Handle(contract.ChangeQuestion, c.admin, h.change),
		openapi.Handle(contract.RetypeQuestion, c.admin, h.retype),
		openapi.Handle(contract.MoveQuestion, c.admin, h.move),
		openapi.Handle(contract.RemoveQuestion, c.admin, h.remove),
	}
}

func itemOf(i bank.Item) contract.Item {
	return contract.Item{
		ID: i.ID, ProjectID: i.ProjectID, Question: questionOf(i.Question), Key: keyOf(i.Key), Complete: i.Complete, Order: i.Order, Source: i.Source, Revision: i.Revision,
		Version: i.Version, CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
	}
}

func (h *questions) list(ctx context.Context, me exambuddy.Admin, in operation.PageOf) (contract.List[contract.Item], error) {
	page, err := h.bank.Questions(ctx, me, in.ID, in.Limit, in.Cursor)
	return listOf(page, itemOf), err
}

func (h *questions) add(ctx context.Context, me exambuddy.Admin, in operation.ByIDKeyed[contract.NewQuestion]) (contract.Item, error) {
	q, k := contentOf(in.Body)
	item, err := h.bank.Add(ctx, me, in.ID, q, k, repeatOf(in.Key, in))
	return itemOf(item), err
}

func (h *questions) get(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.Item, error) {
	item, err := h.bank.QuestionByID(ctx, me, in.ID)
	return itemOf(item), err
}

func (h *questions) change(ctx context.Context, me exambuddy.Admin, in operation.ByIDWith[contract.NewQuestion]) (contract.Item, error) {
	current, err := h.bank.QuestionByID(ctx, me, in.ID)
	if err != nil {
		return contract.Item{}, err
	}
	q, k := contentOf(in.Body)
	item, err := h.bank.Change(ctx, me, current.ProjectID, in.ID, in.Body.Version, q, k)
	return itemOf(item), stale(err)
}

// stale adds the current question to the refusal of an edit, to compare.
func stale(err error) error {
	changed, ok := errors.AsType[*bank.StaleError](err)
	if !ok {
		return err
	}
	return &jsonapi.Error{
		Status: http.StatusConflict, Code: exambuddy.ErrChanged.Code, Message: exambuddy.ErrChanged.Message, Details: contract.Stale{Current: itemOf(changed.Current)},
	}
}

func (h *questions) retype(ctx context.Context, me exambuddy.Admin, in operation.ByIDWith[contract.NewType]) (contract.Item, error) {
	current, err := h.bank.QuestionByID(ctx, me, in.ID)
	if err != nil {
		return contract.Item{}, err
	}
	asked := questionOf(current.Question)
	asked.Type, asked.Targets, asked.Blanks, asked.Statements = in.Body.Type, in.Body.Targets, in.Body.Blanks, in.Body.Statements
	if question.Type(in.Body.Type) == question.FillInBlank {
		asked.Options = nil
	}
	q, k := contentOf(contract.NewQuestion{Question: asked, Key: in.Body.Key})
	item, err := h.bank.Change(ctx, me, current.ProjectID, in.ID, in.Body.Version, q, k)
	return itemOf(item), stale(err)
}

func (h *questions) move(ctx context.Context, me exambuddy.Admin, in operation.ByIDWith[contract.Place]) (contract.None, error) {
	current, err := h.bank.QuestionByID(ctx, me, in.ID)
	if err != nil {
		return contract.None{}, err
	}
	return contract.None{}, h.bank.Move(ctx, me, current.ProjectID, in.ID, in.Body.Version, in.Body.Order)
}

func (h *questions) remove(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.None, error) {
	current, err := h.bank.QuestionByID(ctx, me, in.ID)
	if err != nil {
		return contract.None{}, err
	}
	return contract.None{}, h.bank.Remove(ctx, me, current.ProjectID, in.ID)
}

func (h *questions) table(ctx context.Context, me exambuddy.Admin, in contract.TableFilter) (contract.List[contract.Row], error) {
	rows, err := h.bank.Table(ctx, me, in.ID)
	out := contract.List[contract.Row]{Items: []contract.Row{}}
	for _, r := range rows {
		if in.Type == "" || string(r.QuestionType) == in.Type {
			out.Items = append(out.Items, contract.Row{ID: r.QuestionID, Order: r.Order, Type: string(r.QuestionType), Difficulty: string(r.Difficulty), Source: string(r.Source), Tags: texts(r.Tags), Revision: r.Revision, UpdatedAt: r.UpdatedAt})
		}
	}
	return out, err
}

func (h *questions) counts(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.Counts, error) {
	rows, err := h.bank.Table(ctx, me, in.ID)
	out := contract.Counts{Total: len(rows), Type: map[string]int{}, Difficulty: map[string]int{}, Source: map[string]int{}}
	for _, r := range rows {
		out.Type[string(r.QuestionType)]++
		out.Difficulty[string(r.Difficulty)]++
		out.Source[string(r.Source)]++
	}
	return out, err
}

// texts returns a list that is never nil.
func texts(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
