package results

import (
	"context"
	"fmt"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/analysis"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
)

// The least numbers of answers for which indices are shown, and shown as reliable.
const (
	LeastAnswers    = 10
	ReliableAnswers = 30
)

// A QuestionReport is the item analysis of a revision of a question.
type QuestionReport struct {
	QuestionID     string
	Revision       int64
	Answers        int64 // first attempts in exam mode that had it
	Answered       int64
	Late           int64
	Correct        int64
	MeanSeconds    float64
	Facility       float64 // NaN below LeastAnswers
	Discrimination float64 // item-rest correlation with the share in the other questions; NaN below LeastAnswers
	Options        map[string]analysis.Option
	Flags          []Flag
}

// A Flag is a reason to look at a question.
type Flag string

// The flags.
const (
	TooHard  Flag = "too_hard"  // fewer than exambuddy.FlagBelow per cent are right
	TooEasy  Flag = "too_easy"  // more than 95 per cent are right
	Weak     Flag = "weak"      // it hardly tells strong candidates from weak ones
	CheckKey Flag = "check_key" // weak candidates do better than strong ones
)

// Items returns the item analysis of a project. Statistics follow attempts within seconds.
func (s *Service) Items(ctx context.Context, admin exambuddy.Admin, projectID string) ([]QuestionReport, error) {
	if _, err := s.bank.Project(ctx, admin, projectID); err != nil {
		return nil, err
	}
	chosen := map[string][]exambuddydb.OptionStat{}
	for stat, err := range s.env.DB.ListOptionStats(projectID).Limit(0).All(ctx) {
		if err != nil {
			return nil, err
		}
		key := fmt.Sprintf("%s/%d", stat.QuestionID, stat.Revision)
		chosen[key] = append(chosen[key], stat)
	}
	known, err := s.current(ctx, projectID)
	if err != nil {
		return nil, err
	}
	var all []QuestionReport
	for stat, err := range s.env.DB.ListQuestionStats(projectID).Limit(0).All(ctx) {
		if err != nil {
			return nil, err
		}
		if stat.N > 0 {
			all = append(all, reportOn(stat, chosen[fmt.Sprintf("%s/%d", stat.QuestionID, stat.Revision)], known[stat.QuestionID]))
		}
	}
	return all, nil
}

// A revision is a question as it is now: its options and which of them are right.
type revision struct {
	number  int64
	options []exambuddydb.Option
	key     question.Key
}

// right reports whether an option earns the mark.
func (r revision) right(option string) bool {
	return slices.Contains(r.key.Correct, option) || slices.Contains(r.key.Also, option)
}

// current returns the questions of a project as they are now.
func (s *Service) current(ctx context.Context, projectID string) (map[string]revision, error) {
	all := map[string]revision{}
	for q, err := range s.env.DB.ListQuestionsByProject(projectID).Limit(0).All(ctx) {
		if err != nil {
			return nil, err
		}
		all[q.QuestionID] = revision{number: q.Revision, options: q.Options}
	}
	for k, err := range s.env.DB.ListAnswerKeysByProject(projectID).Limit(0).All(ctx) {
		if err != nil {
			return nil, err
		}
		r, ok := all[k.QuestionID]
		if !ok {
			continue // added between the two reads
		}
		if r.key, err = exambuddy.DecodeKey(k.Solution, ""); err != nil {
			return nil, err
		}
		all[k.QuestionID] = r
	}
	return all, nil
}

// reportOn computes the indices of a question. The key of an older revision is not kept with the
// statistics, so that its options are never reported as possible keys.
func reportOn(stat exambuddydb.QuestionStat, options []exambuddydb.OptionStat, now revision) QuestionReport {
	part := func(sum int64) float64 { return float64(sum) / unit }
	sums := analysis.Sums{
		N: stat.N, X: part(stat.SumX), XX: part(stat.SumXx), R: part(stat.SumR), RR: part(stat.SumRr), XR: part(stat.SumXr), T: part(stat.SumT), TT: part(stat.SumTt),
	}
	r := QuestionReport{
		QuestionID: stat.QuestionID, Revision: stat.Revision, Answers: stat.N, Answered: stat.Answered, Late: stat.Late, Correct: stat.Correct,
		MeanSeconds: float64(stat.Milliseconds) / 1000 / float64(stat.N), Facility: sums.Facility(), Discrimination: sums.Discrimination(), Options: map[string]analysis.Option{},
	}
	isCurrent := now.number == stat.Revision
	if len(options) > 0 && isCurrent {
		for _, o := range now.options {
			r.Options[o.ID] = sums.Distractor(0, 0, now.right(o.ID))
		}
	}
	for _, o := range options {
		r.Options[o.OptionID] = sums.Distractor(o.Chosen, part(o.SumT), !isCurrent || now.right(o.OptionID))
	}
	if stat.N < LeastAnswers {
		return r
	}
	switch {
	case r.Facility*100 < exambuddy.FlagBelow:
		r.Flags = append(r.Flags, TooHard)
	case r.Facility > .95:
		r.Flags = append(r.Flags, TooEasy)
	}
	switch {
	case r.Discrimination < 0:
		r.Flags = append(r.Flags, CheckKey)
	case r.Discrimination < .15:
		r.Flags = append(r.Flags, Weak)
	}
	return r
}

// Totals returns the totals of the projects of an admin.
func (s *Service) Totals(ctx context.Context, admin exambuddy.Admin) ([]exambuddydb.ProjectStat, error) {
	return s.env.DB.ListProjectStats(admin.ID).Slice(ctx)
}

// Days returns the totals of a project by day.
func (s *Service) Days(ctx context.Context, admin exambuddy.Admin, projectID string, from, to access.Date) ([]exambuddydb.DayStat, error) {
	if _, err := s.bank.Project(ctx, admin, projectID); err != nil {
		return nil, err
	}
	return s.env.DB.ListDayStats(projectID, from, to).Slice(ctx)
}

// Month returns the totals of all projects in a month, such as 2026-02, for operators.
func (s *Service) Month(ctx context.Context, _ exambuddy.Operator, month string) ([]exambuddydb.MonthStat, error) {
	return s.env.DB.ListMonthStats(month).Limit(0).Slice(ctx)
}
