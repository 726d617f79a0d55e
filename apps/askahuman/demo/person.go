package demo

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"

	"sortkey.dev/apps/internal/demo"
)

// people is the name of the crowd.
const people = "people"

// zones lists the time zones of the crowd, in minutes east of UTC.
var zones = []int{0, 60, -300, 330, -480, 540, 120, 780}

// join gives a new person an identity.
func join(ctx context.Context, who *demo.Person) error {
	var out struct {
		Fingerprint string `json:"fingerprint"`
	}
	who.Header.Set("X-Timezone-Offset", strconv.Itoa(zones[who.Number%len(zones)]))
	if _, err := who.Call(ctx, http.MethodPost, "/human/identity", struct{}{}, &out); err != nil {
		return err
	}
	who.Header.Set("X-Fingerprint", out.Fingerprint)
	return nil
}

// A card is a question as the feed shows it.
type card struct {
	QuestionID string   `json:"question_id"`
	Prompt     string   `json:"prompt"`
	Options    []string `json:"options"`
	Needed     int      `json:"responses_needed"`
}

// newest returns the newest questions as an anonymous visitor sees them, and the remaining requests
// of the rate limit.
func newest(ctx context.Context, visitor *demo.Person) (_ []card, left int, err error) {
	var out struct {
		Questions []card `json:"questions"`
	}
	header, err := visitor.Call(ctx, http.MethodGet, "/human/questions?limit=50", nil, &out)
	left, _ = strconv.Atoi(header.Get("X-RateLimit-Remaining")) // 0 if absent
	return out.Questions, left, err
}

// saying is the request body of an answer.
type saying struct {
	QuestionID     string `json:"question_id"`
	Answer         string `json:"answer,omitempty"`
	SelectedOption *int   `json:"selected_option,omitempty"`
	Confidence     *int   `json:"confidence,omitempty"`
	ResponseTimeMS int    `json:"response_time_ms"`
}

// answerAs submits an answer that fits the question. Most people take their time; a few do
// not, so that operators have answers to review.
func answerAs(ctx context.Context, who *demo.Person, q *asked, chance *rand.Rand) error {
	s := saying{QuestionID: q.id, ResponseTimeMS: 6000 + chance.IntN(50_000)}
	if chance.IntN(25) == 0 {
		s.ResponseTimeMS = 800 + chance.IntN(900)
	}
	if chance.IntN(3) > 0 {
		sure := 2 + chance.IntN(4)
		s.Confidence = &sure
	}
	if len(q.template.options) > 0 {
		option := q.template.choose(chance)
		s.SelectedOption = &option
	} else {
		s.Answer = q.template.answers[chance.IntN(len(q.template.answers))]
	}
	_, err := who.Call(ctx, http.MethodPost, "/human/responses", s, nil)
	return err
}
