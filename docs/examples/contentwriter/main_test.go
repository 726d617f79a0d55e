package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/client"
	"sortkey.dev/apps/askahuman/server"
	"sortkey.dev/engine"
)

// A site is a whole Ask-a-Human, and people who come while the program rests.
type site struct {
	t   *testing.T
	url string
	now time.Time
	// votes lists what the next people choose: the options of the tone and of
	// the headline.
	votes [][2]int
}

func open(t *testing.T, votes ...[2]int) *site {
	t.Helper()
	memory, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { memory.Close() })
	s := &site{t: t, now: time.Now(), votes: votes}
	system, err := server.Open(t.Context(), apps.Config{
		DynamoDB: memory.API(), Streams: memory.Streams(), Secret: []byte("the secret of an example"), PublicURL: "https://ask.example",
		Setting: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(system)
	t.Cleanup(front.Close)
	s.url = front.URL
	return s
}

// rest is the pause of the program: the next person answers whatever there is.
func (s *site) rest(_ context.Context, d time.Duration) error {
	s.now = s.now.Add(d)
	if len(s.votes) == 0 {
		return nil
	}
	vote := s.votes[0]
	s.votes = s.votes[1:]
	person := s.call("POST", "/human/identity", "", map[string]any{})["fingerprint"].(string)
	for _, card := range s.call("GET", "/human/questions", person, nil)["questions"].([]any) {
		card := card.(map[string]any)
		option := vote[0]
		if strings.Contains(card["prompt"].(string), "headline") {
			option = vote[1]
		}
		s.call("POST", "/human/responses", person, map[string]any{
			"question_id": card["question_id"], "selected_option": option, "response_time_ms": 60_000,
		})
	}
	return nil
}

func (s *site) call(method, path, person string, body any) map[string]any {
	s.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, bytes.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if person != "" {
		request.Header.Set("X-Fingerprint", person)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	answer := map[string]any{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode >= 300 {
		s.t.Fatalf("%s %s: %s %v (%v)", method, path, response.Status, answer, err)
	}
	return answer
}

// written are the lines of the program without those that have an address in them.
func (s *site) written(args ...string) []string {
	s.t.Helper()
	var out bytes.Buffer
	clock := client.WithClock(func() time.Time { return s.now }, s.rest)
	if err := run(s.t.Context(), append([]string{"--url", s.url}, args...), &out, clock); err != nil {
		s.t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.Contains(line, "https://ask.example/q/") {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestThePostIsWrittenAsPeopleChose(t *testing.T) {
	got := open(t, [2]int{1, 0}, [2]int{1, 2}, [2]int{1, 2}).written()
	want := []string{
		"  tone ○○○ 0 of 3   headline ○○○ 0 of 3",
		"  tone ●○○ 1 of 3   headline ●○○ 1 of 3",
		"  tone ●●○ 2 of 3   headline ●●○ 2 of 3",
		"  tone ●●● 3 of 3   headline ●●● 3 of 3",
		"# Four things and a night",
		tones[1].text,
		"Tone: playful (3 of 3 votes; sure)",
		"Headline: Four things and a night (2 of 3 votes; likely)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

func TestAPostIsWrittenAlsoIfFewAnswer(t *testing.T) {
	for name, test := range map[string]struct {
		votes [][2]int
		want  string
	}{
		"nobody": {nil, "Tone: plain (0 of 0 votes; a guess: nobody answered in time)"},
		"one":    {[][2]int{{2, 0}}, "Tone: solemn (1 of 1 votes; a hint: too few have answered)"},
		"two":    {[][2]int{{2, 0}, {1, 0}}, "Tone: playful (1 of 2 votes; a coin toss: another one has as many votes)"},
	} {
		t.Run(name, func(t *testing.T) {
			lines := open(t, test.votes...).written("--patience", "1m")
			if got := lines[len(lines)-2]; got != test.want {
				t.Errorf("it says %q, want %q", got, test.want)
			}
		})
	}
}

func TestAServerThatIsNotThereIsNamed(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	err := run(t.Context(), []string{"--url", gone.URL}, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), gone.URL) || !strings.Contains(err.Error(), "sortkey run ask-a-human --demo") {
		t.Errorf("it says %v", err)
	}
}
