package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"

	"sortkey.dev/apps/askahuman/client"
)

// zones lists the time zones of the crowd, in minutes east of UTC.
var zones = []int{0, 60, -300, 330, -480, 540, 120, 780}

// A person is a simulated user of the human API.
type person struct {
	http     *http.Client
	base     string
	identity string
	zone     int
}

// join creates a new person.
func join(ctx context.Context, h *http.Client, base string, zone int) (*person, error) {
	p := &person{http: h, base: base, zone: zone}
	var out struct {
		Fingerprint string `json:"fingerprint"`
	}
	if err := p.post(ctx, "/human/identity", struct{}{}, &out); err != nil {
		return nil, fmt.Errorf("create a person: %w", err)
	}
	p.identity = out.Fingerprint
	return p, nil
}

// A card is a question as the feed shows it.
type card struct {
	QuestionID string   `json:"question_id"`
	Prompt     string   `json:"prompt"`
	Options    []string `json:"options"`
	Needed     int      `json:"responses_needed"`
}

// newest returns the newest questions as an anonymous visitor sees them, and the
// remaining requests of the rate limit.
func newest(ctx context.Context, h *http.Client, base string) (_ []card, left int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/human/questions?limit=50", nil)
	if err != nil {
		return nil, 0, err
	}
	var out struct {
		Questions []card `json:"questions"`
	}
	header, err := send(h, request, &out)
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

// answer submits an answer that fits the question. Most people take their time; a few do
// not, so that operators have answers to review.
func (p *person) answer(ctx context.Context, q *asked, chance *rand.Rand) error {
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
	return p.post(ctx, "/human/responses", s, &struct{}{})
}

func (p *person) post(ctx context.Context, path string, in, out any) error {
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Timezone-Offset", strconv.Itoa(p.zone))
	if p.identity != "" {
		request.Header.Set("X-Fingerprint", p.identity)
	}
	_, err = send(p.http, request, out)
	return err
}

// send sends a request and decodes the response into out.
func send(h *http.Client, request *http.Request, out any) (http.Header, error) {
	response, err := h.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		return response.Header, refusal(response.StatusCode, body)
	}
	return response.Header, json.Unmarshal(body, out)
}

// refusal returns the error of an answer, of the same type as the client's.
func refusal(status int, body []byte) error {
	var envelope struct {
		Error struct{ Code, Message string }
	}
	e := &client.Error{Status: status, Message: http.StatusText(status)}
	if json.Unmarshal(body, &envelope) == nil && envelope.Error.Code != "" {
		e.Code, e.Message = envelope.Error.Code, envelope.Error.Message
	}
	return e
}
