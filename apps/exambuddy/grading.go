package exambuddy

import (
	"fmt"
	"slices"

	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
)

// A Marked is a question of a paper with its answer and its mark.
type Marked struct {
	Paper    exambuddydb.PaperQuestion
	Answer   *exambuddydb.AnswerSelection // nil if the question was not answered
	Question question.Question
	Key      question.Key
	Given    question.Answer
	Mark     int // in thousandths
	Correct  bool
}

// Totals holds the score of a paper.
type Totals struct {
	Questions int // those that count
	Answered  int // in time
	Correct   int
	Marks     int // in thousandths
	Tenths    int // of a per cent of the questions
	Seconds   int
}

// Grade marks a paper. A late or an empty answer earns nothing, a dropped question counts for no
// candidate, and a question with full marks is right for all.
func Grade(papers []exambuddydb.PaperQuestion, answers []exambuddydb.AnswerSelection) ([]Marked, Totals, error) {
	given := map[string]*exambuddydb.AnswerSelection{}
	for i := range answers {
		given[answers[i].QuestionID] = &answers[i]
	}
	papers = slices.Clone(papers)
	slices.SortFunc(papers, func(a, b exambuddydb.PaperQuestion) int { return int(a.Position - b.Position) })
	var all []Marked
	var totals Totals
	milliseconds := 0
	for _, paper := range papers {
		m, err := mark(paper, given[paper.QuestionID])
		if err != nil {
			return nil, Totals{}, err
		}
		all = append(all, m)
		if m.Answer != nil {
			milliseconds += int(m.Answer.TimeSpentMs)
		}
		if paper.Dropped {
			continue
		}
		totals.Questions++
		if m.Answer != nil && m.Answer.Accepted {
			totals.Answered++
		}
		if m.Correct {
			totals.Correct++
		}
		totals.Marks += m.Mark
	}
	totals.Seconds = (milliseconds + 500) / 1000
	totals.Tenths = question.Percent(totals.Marks, totals.Questions)
	return all, totals, nil
}

func mark(paper exambuddydb.PaperQuestion, answer *exambuddydb.AnswerSelection) (Marked, error) {
	m := Marked{Paper: paper, Answer: answer}
	var err error
	if m.Question, err = PaperQuestion(paper); err != nil {
		return Marked{}, err
	}
	if m.Key, err = DecodeKey(paper.Solution, paper.Explanation); err != nil {
		return Marked{}, fmt.Errorf("question %d of attempt %s: %w", paper.Position, paper.AttemptID, err)
	}
	if answer != nil {
		if m.Given, err = DecodeAnswer(answer.Reply); err != nil {
			return Marked{}, fmt.Errorf("answer %d of attempt %s: %w", paper.Position, paper.AttemptID, err)
		}
		if answer.Accepted {
			result := question.Grade(m.Question, m.Key, m.Given)
			m.Mark, m.Correct = result.Mark, result.Correct
		}
	}
	if paper.FullMarks {
		m.Mark, m.Correct = question.Full, true
	}
	return m, nil
}

// PaperQuestion returns the question of a paper, without its key.
func PaperQuestion(paper exambuddydb.PaperQuestion) (question.Question, error) {
	q, err := Content{
		Text: paper.QuestionText, Type: paper.QuestionType, Options: paper.Options, Metadata: paper.Metadata, Tags: paper.Tags, Limit: paper.TimeLimitSeconds,
	}.Question()
	if err != nil {
		return question.Question{}, fmt.Errorf("question %d of attempt %s: %w", paper.Position, paper.AttemptID, err)
	}
	return q, nil
}
