package results

import (
	"time"

	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/report"
)

// Reported returns an attempt with its questions for package report.
func Reported(a Attempt, reviews []Review) report.Attempt {
	out := report.Attempt{
		ID: a.AttemptID, Candidate: a.CandidateName, Email: a.CandidateEmail, Project: a.ProjectTitle, Mode: string(a.Mode), Difficulty: string(a.Difficulty),
		Started: a.StartedAt, Completed: a.CompletedAt, Tenths: int(a.ScoreTenths), PassMark: int(a.PassMark) * 10, Correct: int(a.Score), Answered: int(a.AnsweredCount),
		Total: int(a.TotalQuestions), Seconds: int(a.TimeTakenSeconds),
	}
	if a.RegradedAt != nil {
		out.Regraded = *a.RegradedAt
	}
	for _, r := range reviews {
		out.Rows = append(out.Rows, report.Row{
			Number: r.Position, Text: r.Question.Text, Selected: question.Describe(r.Question, r.Given), Correct: question.DescribeKey(r.Question, r.Key),
			Seconds: int(r.Spent / time.Second), Right: r.Correct, Late: r.Late > 0,
		})
	}
	return out
}
