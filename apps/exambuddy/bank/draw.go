package bank

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

// A Pick says which questions of a project a paper gets.
type Pick struct {
	Count int
	// Difficulty selects questions of one difficulty; "" for all.
	Difficulty question.Difficulty
	// Tags selects questions that have one of them; none for all.
	Tags []string
	// Questions selects these questions, such as those that are due; none for all.
	Questions []string
	// Seed determines which questions are drawn, and their order.
	Seed string
}

// A Drawn is a question of a paper, with its key, for the server only.
type Drawn struct {
	ID       string
	Revision int64
	Question question.Question
	Key      question.Key
}

// A Pool holds the questions of a project in a version of its bank. Texts and keys are kept as they
// are drawn, so that a class reads each of them once.
type Pool struct {
	version int64
	read    time.Time
	rows    []exambuddydb.ListPaperQuestionsRow
	drawn   map[string]Drawn
}

// poolFor is the time for which a pool is kept. The index that it is read from may be a moment
// behind the version of the bank.
const poolFor = 5 * time.Second

// Draw returns the questions of a paper in their order. It refuses a count of more questions than
// there are, and names their number.
func (s *Service) Draw(ctx context.Context, project exambuddydb.Project, pick Pick) ([]Drawn, error) {
	for range 3 {
		pool, err := s.pool(ctx, project)
		if err != nil {
			return nil, err
		}
		ids := pool.choose(project, pick)
		if len(ids) < pick.Count {
			return nil, tooMany(pick.Count, len(ids))
		}
		ids = question.ShuffleIDs(ids, pick.Seed)[:pick.Count]
		drawn, err := s.texts(ctx, project, pool, ids)
		if err != nil {
			return nil, err
		}
		if len(drawn) == pick.Count {
			return drawn, nil
		}
		s.forget(project.ProjectID) // a question was removed between the reads
	}
	return nil, refusal.New(refusal.Conflict, exambuddy.CodeState, "The exam is being changed. Try again.")
}

func tooMany(asked, there int) error {
	if there == 0 {
		return refusal.New(refusal.Invalid, "", "There are no questions to choose from.")
	}
	most := min(there, exambuddy.MaxSessionQuestions)
	return refusal.OutOfRange("question_count", "range", 1, most, "You asked for %d questions. At most %d are available.", asked, most)
}

func (p *Pool) choose(project exambuddydb.Project, pick Pick) []string {
	var ids []string
	for _, row := range p.rows {
		switch {
		case row.ImportID != nil && slices.Contains(project.Importing, *row.ImportID):
		case pick.Difficulty != "" && string(row.Difficulty) != string(pick.Difficulty):
		case len(pick.Tags) > 0 && !slices.ContainsFunc(row.Tags, func(tag string) bool { return slices.Contains(pick.Tags, tag) }):
		case len(pick.Questions) > 0 && !slices.Contains(pick.Questions, row.QuestionID):
		default:
			ids = append(ids, row.QuestionID)
		}
	}
	return ids
}

func (s *Service) forget(projectID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pools, projectID)
}

func (s *Service) pool(ctx context.Context, project exambuddydb.Project) (*Pool, error) {
	now := s.env.Now()
	s.mu.Lock()
	pool := s.pools[project.ProjectID]
	s.mu.Unlock()
	if pool != nil && pool.version == project.BankVersion && now.Sub(pool.read) < poolFor && now.Sub(pool.read) >= 0 {
		return pool, nil
	}
	rows, err := s.env.DB.ListPaperQuestions(project.ProjectID).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the questions of project %s: %w", project.ProjectID, err)
	}
	fresh := &Pool{version: project.BankVersion, read: now, rows: rows, drawn: map[string]Drawn{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	if pool != nil && pool.version == project.BankVersion {
		fresh.drawn = pool.drawn
	}
	s.pools[project.ProjectID] = fresh
	return fresh, nil
}

// texts returns the questions with the given ids that exist and have a complete key.
func (s *Service) texts(ctx context.Context, project exambuddydb.Project, pool *Pool, ids []string) ([]Drawn, error) {
	s.mu.Lock()
	missing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, ok := pool.drawn[id]; return ok })
	s.mu.Unlock()
	if len(missing) > 0 {
		if err := s.read(ctx, project, pool, missing); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Drawn
	for _, id := range ids {
		if drawn, ok := pool.drawn[id]; ok {
			all = append(all, drawn)
		}
	}
	return all, nil
}

func (s *Service) read(ctx context.Context, project exambuddydb.Project, pool *Pool, ids []string) error {
	questions, err := s.env.DB.GetDrawnQuestions(ctx, project.ProjectID, ids)
	if err != nil {
		return fmt.Errorf("read drawn questions: %w", err)
	}
	keys, err := s.env.DB.GetDrawnKeys(ctx, project.ProjectID, ids)
	if err != nil {
		return fmt.Errorf("read the keys of drawn questions: %w", err)
	}
	for i, q := range questions {
		if q == nil || keys[i] == nil || !keys[i].Complete {
			continue
		}
		item, err := itemOf(*q, *keys[i])
		if err != nil {
			return err
		}
		s.mu.Lock()
		pool.drawn[q.QuestionID] = Drawn{ID: q.QuestionID, Revision: q.Revision, Question: item.Question, Key: item.Key}
		s.mu.Unlock()
	}
	return nil
}
