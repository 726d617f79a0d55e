package bank

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

// perBatch is the number of drafts that one transaction imports: each takes four actions of a
// hundred.
const perBatch = 16

// PublishImport makes the chosen drafts of a document questions of its project. A job does it, in
// batches; until the last one is done, no paper is drawn from any of them.
func (s *Service) PublishImport(ctx context.Context, admin exambuddy.Admin, projectID, documentID string) (exambuddydb.ProjectDocument, error) {
	project, err := s.Project(ctx, admin, projectID)
	if err != nil {
		return exambuddydb.ProjectDocument{}, err
	}
	document, err := s.document(ctx, projectID, documentID)
	if err != nil {
		return exambuddydb.ProjectDocument{}, err
	}
	if document.Status != exambuddydb.ProjectDocumentStatusReady {
		return exambuddydb.ProjectDocument{}, refusal.New(refusal.Conflict, exambuddy.CodeState, "This document is not ready to be published.")
	}
	if err := s.publishable(ctx, project, document); err != nil {
		return exambuddydb.ProjectDocument{}, err
	}
	tx := s.env.DB.Tx()
	tx.BeginPublish(exambuddydb.BeginPublishParams{ProjectID: projectID, DocumentID: documentID, AdminID: project.AdminID, Imports: []string{documentID}})
	s.env.Record(tx, admin.ID, "publish import", documentID, projectID, nil)
	if err := s.queue(tx, exambuddy.JobPublish, document); err != nil {
		return exambuddydb.ProjectDocument{}, err
	}
	if err := tx.Commit(ctx); err != nil {
		return exambuddydb.ProjectDocument{}, s.refuse(err, "publish import")
	}
	return s.document(ctx, projectID, documentID)
}

// publishable refuses an import that would leave a published exam with questions that have no
// answer, or an exam with too many questions.
func (s *Service) publishable(ctx context.Context, project exambuddydb.Project, document exambuddydb.ProjectDocument) error {
	taken, unanswered := int64(0), 0
	for draft, err := range s.env.DB.ListDrafts(document.DocumentID).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		if draft.Choice == exambuddydb.ExtractedQuestionChoiceSkip {
			continue
		}
		if draft.DuplicateOf == nil {
			taken++
		}
		if !draft.Complete {
			unanswered++
		}
	}
	if project.QuestionCount+taken > exambuddy.MaxQuestions {
		return refusal.New(refusal.Conflict, exambuddy.CodeFull, "An exam has at most %d questions.", exambuddy.MaxQuestions)
	}
	if unanswered > 0 && project.Status == exambuddydb.ProjectStatusPublished {
		return refusal.New(refusal.Conflict, exambuddy.CodeNotReady, "The exam is published, and %d drafts have no answer. Add their answers, skip them, or unpublish the exam.", unanswered)
	}
	return nil
}

// RunPublish imports the drafts of a document that is being published. The worker calls it; it goes
// on where a worker that died has stopped.
func (s *Service) RunPublish(ctx context.Context, projectID, documentID string) error {
	document, err := s.document(ctx, projectID, documentID)
	if err != nil || document.Status != exambuddydb.ProjectDocumentStatusPublishing {
		return err
	}
	project, err := s.env.DB.GetProject(ctx, document.AdminID, projectID)
	if err != nil {
		return fmt.Errorf("read project %s: %w", projectID, err)
	}
	var batch []exambuddydb.ExtractedQuestion
	imported := int64(0)
	for draft, err := range s.env.DB.ListDrafts(documentID).Limit(0).All(ctx) {
		switch {
		case err != nil:
			return err
		case draft.State == exambuddydb.ExtractedQuestionStateImported:
			imported++
			continue
		case draft.State == exambuddydb.ExtractedQuestionStateSkipped:
			continue
		case draft.Choice == exambuddydb.ExtractedQuestionChoiceTake && draft.DuplicateOf == nil:
			batch = append(batch, draft)
		default:
			done, err := s.single(ctx, project, draft)
			if err != nil {
				return err
			}
			imported += done
		}
		if len(batch) == perBatch {
			done, err := s.batch(ctx, project, batch)
			if err != nil {
				return err
			}
			imported, batch = imported+done, nil
		}
	}
	done, err := s.batch(ctx, project, batch)
	if err != nil {
		return err
	}
	imported += done
	err = s.env.DB.FinishPublish(ctx, exambuddydb.FinishPublishParams{ProjectID: projectID, DocumentID: documentID, Imported: &imported, AdminID: project.AdminID, Imports: []string{documentID}})
	if err != nil && !exambuddy.Changed[exambuddydb.ProjectDocument](err) {
		return fmt.Errorf("finish import %s: %w", documentID, err)
	}
	return nil
}

// batch imports drafts in one transaction. If one of them has become a duplicate, they are imported
// one by one.
func (s *Service) batch(ctx context.Context, project exambuddydb.Project, drafts []exambuddydb.ExtractedQuestion) (int64, error) {
	if len(drafts) == 0 {
		return 0, nil
	}
	params := exambuddydb.ImportDraftsParams{AdminID: project.AdminID, ProjectID: project.ProjectID, Imported: int64(len(drafts))}
	now := s.env.Now()
	for _, stored := range drafts {
		d, err := decodeDraft(stored)
		if err != nil {
			return 0, err
		}
		// The order in the file is the order in the exam, after the questions that are there.
		q, k, err := s.stored(project.ProjectID, s.env.NewID(now), project.QuestionCount+stored.Position, d.Question, d.Key, exambuddydb.QuestionSourceImport, &stored.DocumentID, now)
		if err != nil {
			return 0, err
		}
		if k.Complete = stored.Complete; k.Complete {
			params.Keyed++
		}
		params.Questions, params.AnswerKeys = append(params.Questions, q), append(params.AnswerKeys, k)
		params.ExtractedQuestions = append(params.ExtractedQuestions, exambuddydb.ImportDraftsExtractedQuestion{DocumentID: stored.DocumentID, Position: stored.Position, Version: stored.Version})
	}
	err := s.env.DB.ImportDrafts(ctx, params)
	var taken *access.TakenError
	switch {
	case err == nil:
		return params.Imported, nil
	case !errors.As(err, &taken) && !sameTwice(drafts):
		return 0, fmt.Errorf("import drafts of document %s: %w", drafts[0].DocumentID, err)
	case len(drafts) == 1:
		return 0, s.skip(ctx, drafts[0], nil)
	}
	imported := int64(0)
	for _, draft := range drafts {
		done, err := s.batch(ctx, project, []exambuddydb.ExtractedQuestion{draft})
		if err != nil {
			return 0, err
		}
		imported += done
	}
	return imported, nil
}

// sameTwice reports whether two drafts have the same text, which a transaction refuses as a whole.
func sameTwice(drafts []exambuddydb.ExtractedQuestion) bool {
	seen := map[string]bool{}
	for _, d := range drafts {
		if seen[d.TextHash] {
			return true
		}
		seen[d.TextHash] = true
	}
	return false
}

// single handles a draft that does not become a new question, and returns 1 if it was imported.
func (s *Service) single(ctx context.Context, project exambuddydb.Project, draft exambuddydb.ExtractedQuestion) (int64, error) {
	if draft.Choice != exambuddydb.ExtractedQuestionChoiceOverwrite || draft.DuplicateOf == nil || !draft.Complete {
		return 0, s.skip(ctx, draft, draft.DuplicateOf)
	}
	current, err := s.item(ctx, project.ProjectID, *draft.DuplicateOf)
	if errors.Is(err, exambuddy.ErrNoQuestion) {
		return s.batch(ctx, project, []exambuddydb.ExtractedQuestion{draft})
	}
	if err != nil {
		return 0, err
	}
	if err := s.overwrite(ctx, project, draft, current); err != nil {
		return 0, fmt.Errorf("overwrite question %s: %w", current.ID, err)
	}
	return 1, nil
}

func (s *Service) overwrite(ctx context.Context, project exambuddydb.Project, draft exambuddydb.ExtractedQuestion, current Item) error {
	d, err := decodeDraft(draft)
	if err != nil {
		return err
	}
	e, err := s.edit(current, d.Question, d.Key)
	if err != nil {
		return err
	}
	params := exambuddydb.CompleteFromDraftParams{
		ProjectID: e.ProjectID, QuestionID: e.QuestionID, QuestionText: e.QuestionText, TextHash: e.TextHash, QuestionType: e.QuestionType, Options: e.Options, Metadata: e.Metadata,
		Difficulty: e.Difficulty, TimeLimitSeconds: e.TimeLimitSeconds, Tags: e.Tags, Revision: e.Revision, UpdatedAt: e.UpdatedAt, QuestionVersion: current.Version,
		OldTextHash: question.Hash(current.Question), Solution: e.Solution, Explanation: e.Explanation, DocumentID: draft.DocumentID, Position: draft.Position,
		ExtractedquestionVersion: draft.Version, AdminID: project.AdminID,
	}
	if !current.Complete {
		return s.env.DB.CompleteFromDraft(ctx, params)
	}
	return s.env.DB.OverwriteFromDraft(ctx, exambuddydb.OverwriteFromDraftParams{
		ProjectID: params.ProjectID, QuestionID: params.QuestionID, QuestionText: params.QuestionText, TextHash: params.TextHash, QuestionType: params.QuestionType, Options: params.Options,
		Metadata: params.Metadata, Difficulty: params.Difficulty, TimeLimitSeconds: params.TimeLimitSeconds, Tags: params.Tags, Revision: params.Revision, UpdatedAt: params.UpdatedAt,
		QuestionVersion: params.QuestionVersion, OldTextHash: params.OldTextHash, Solution: params.Solution, Explanation: params.Explanation, DocumentID: params.DocumentID,
		Position: params.Position, ExtractedquestionVersion: params.ExtractedquestionVersion,
	})
}

func (s *Service) skip(ctx context.Context, draft exambuddydb.ExtractedQuestion, duplicateOf *string) error {
	_, err := s.env.DB.SkipDraft(ctx, draft.Key(), exambuddydb.SkipDraftParams{DuplicateOf: duplicateOf, Version: draft.Version})
	if err != nil && !exambuddy.Changed[exambuddydb.ExtractedQuestion](err) {
		return fmt.Errorf("skip draft %d of document %s: %w", draft.Position, draft.DocumentID, err)
	}
	return nil
}
