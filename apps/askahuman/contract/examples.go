package contract

import (
	"encoding/json"
	"time"
)

// The examples of the document.
var (
	asked       = time.Date(2026, time.February, 2, 12, 0, 0, 0, time.UTC)
	exampleText = "Which headline would you click?"
	exampleAsk  = Ask{
		Prompt: exampleText, Type: MultipleChoice, Options: []string{"Ten tips", "What we learned"}, MinResponses: new(5), TimeoutSeconds: new(3600),
	}
	exampleSubmitted = Submitted{
		QuestionID: exampleID, Status: Open, PollURL: "/agent/questions/" + exampleID, AnswerURL: "https://ask.example.org/q/" + exampleID,
		ResultURL: "https://ask.example.org/developers/questions/" + exampleID, CreatedAt: asked, ExpiresAt: asked.Add(time.Hour),
	}
	exampleBatch = Batch{Questions: []json.RawMessage{
		json.RawMessage(`{"prompt":"Which headline would you click?","type":"multiple_choice","options":["Ten tips","What we learned"],"min_responses":5,"timeout_seconds":3600}`),
		json.RawMessage(`{"prompt":"Is this a question?"}`),
	}}
	exampleResults = BatchResult{Results: []BatchEntry{{Status: 201, Question: &exampleSubmitted}, {Status: 400, Error: &ErrorBody{
		Code: "VALIDATION_ERROR", Message: "A question needs a type: text or multiple_choice.",
		Details: map[string]any{"field": "type", "constraint": "required", "allowed": []Type{Text, MultipleChoice}},
	}}}}
	exampleListed = ListedQuestion{
		QuestionID: exampleID, Status: Partial, Prompt: exampleText, Type: MultipleChoice, Options: exampleAsk.Options, Audience: []string{"general"},
		RequiredResponses: 5, CurrentResponses: 2, CreatedAt: asked, ExpiresAt: asked.Add(time.Hour),
	}
	exampleDeliveries = Deliveries{[]Delivery{
		{Try: 1, At: asked.Add(-100 * time.Minute), URL: "https://agent.example/hook", Status: 503, Error: "agent.example answered 503 Service Unavailable"},
		{Try: 2, At: asked.Add(-100*time.Minute + 6*time.Second), URL: "https://agent.example/hook", Status: 204},
	}}
	exampleCard = Card{
		QuestionID: exampleID, Prompt: exampleText, Type: MultipleChoice, Options: exampleAsk.Options, Audience: exampleListed.Audience,
		ResponsesNeeded: 3, ResponsesRequired: 5, CreatedAt: asked, ExpiresAt: asked.Add(time.Hour), CanAnswer: true,
	}
	exampleAnswer = Answer{QuestionID: exampleID, SelectedOption: new(1), Confidence: new(4), ResponseTimeMS: new(9000)}
	firstSteps    = Badge{ID: "first_steps", Name: "First Steps", Description: "Answer a question"}
	exampleReward = Reward{
		ResponseID: "r_0123456789ab", Points: 7, Breakdown: []Points{{"answer", "Answer", 5}, {"confidence", "Said how sure you are", 2}},
		NewBadges: []Badge{firstSteps}, TotalPoints: 7, TotalAnswers: 1, StreakDays: 1,
		NextBadge: &BadgeProgress{Badge{ID: "on_a_roll", Name: "On a Roll", Description: "Answer on 3 days in a row"}, 1, 3},
	}
	exampleStats = Stats{
		TotalPoints: 7, TotalAnswers: 1, PointsToday: 7, DailyCap: 500, StreakDays: 1, Rank: new(1),
		Badges: []EarnedBadge{{firstSteps, asked.Add(time.Minute)}}, Progress: []BadgeProgress{}, ByCategory: map[string]int{"general": 1},
	}
	exampleBoard = Leaderboard{
		Period: "daily", Entries: []Place{{1, 7, 1, true}}, YourRank: new(1), YourPoints: 7, YourAnswers: 1, Resets: new(asked.Add(12 * time.Hour)),
	}
	exampleSubscription = Subscription{SubscriptionID: "sub_0123456789abcdef0123456789abcdef", Status: "active", Channel: "fcm", MinInterval: 30}
)

const exampleID = "01KGF4RY00A1B2C3D4E5F6G7H8"

func exampleClosed() ListedQuestion {
	q := exampleListed
	q.Status, q.ClosedAt = Closed, new(asked.Add(30*time.Minute))
	return q
}

func exampleQuestion(q ListedQuestion) Question {
	return Question{
		ListedQuestion: q, Responses: []Response{{SelectedOption: new(1), Confidence: new(4)}, {SelectedOption: new(1)}},
		Summary: map[string]int{"Ten tips": 0, "What we learned": 2}, Reliability: "low",
	}
}
