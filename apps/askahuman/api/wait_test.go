package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/live"
)

// listening waits until the API has a listener of a question, or has none any more.
func (s *site) listening(t *testing.T, id string, want int) {
	t.Helper()
	for begin := time.Now(); s.hub.Listeners(live.Topic("question "+id)) != want; runtime.Gosched() {
		if time.Since(begin) > patience {
			t.Fatalf("%d listen to the question, want %d", s.hub.Listeners(live.Topic("question "+id)), want)
		}
	}
}

// later makes a call that is going to wait, and gives its answer when it has come.
func (s *site) later(t *testing.T, c call) <-chan *http.Response {
	t.Helper()
	request := s.request(t, c)
	come := make(chan *http.Response, 1)
	go func() {
		response, err := s.http.Do(request)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			close(come)
			return
		}
		come <- response
	}()
	return come
}

// polled reads a question that was waited for.
func polled(t *testing.T, come <-chan *http.Response) (status string, responses int) {
	t.Helper()
	response := <-come
	if response == nil {
		t.FailNow()
	}
	defer response.Body.Close()
	var got struct {
		Status    string `json:"status"`
		Responses int    `json:"current_responses"`
	}
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	return got.Status, got.Responses
}

func TestALongPollEndsWithTheChange(t *testing.T) {
	for name, query := range map[string]string{
		"from what the caller knows": "?wait=30&since=0",
		"from the status it knows":   "?wait=30&status=OPEN",
		"from how it is":             "?wait=30",
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			id := s.ask(t, "bot", nil)
			// A first answer before the poll has looked would be its "how it is", so it
			// has to be one that the poll waits through.
			come := s.later(t, poll("bot", id+query))
			s.listening(t, id, 1)
			for range 5 {
				s.must(t, http.StatusCreated, says(s.newcomer(t), id, "An answer at last"))
			}
			status, responses := polled(t, come)
			if status == "OPEN" || responses == 0 {
				t.Errorf("got %s with %d answers, want a change", status, responses)
			}
			s.listening(t, id, 0)
		})
	}
}

func TestALongPollDoesNotWaitForWhatIsThere(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", nil)
	s.must(t, http.StatusCreated, says(s.newcomer(t), id, "The first answer"))
	for _, query := range []string{"?wait=30&since=0", "?wait=30&since=5", "?wait=30&status=OPEN", "?wait=30&status=OPEN&since=1"} {
		if a := s.must(t, http.StatusOK, poll("bot", id+query)); a.str("status") != "PARTIAL" {
			t.Errorf("%s: %s", query, a.text)
		}
	}
	s.must(t, http.StatusOK, call{method: "DELETE", path: "/agent/questions/" + id, agent: "bot"})
	for _, query := range []string{"?wait=30", "?wait=30&since=1", "?wait=30&since=1&status=CLOSED"} {
		if a := s.must(t, http.StatusOK, poll("bot", id+query)); a.str("status") != "CLOSED" {
			t.Errorf("%s: %s", query, a.text)
		}
	}
	for query, field := range map[string]string{"wait=31": "wait", "wait=-1": "wait", "wait=long": "wait", "since=never": "since", "status=DONE": "status"} {
		a := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", poll("bot", id+"?"+query))
		if got := a.str("error", "details", "field"); got != field {
			t.Errorf("%s blames %s", query, got)
		}
	}
}

func TestALongPollSeesTheTimeRunOut(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", fields{"timeout_seconds": 60})
	s.Clock.Advance(time.Minute - 5*time.Millisecond)
	come := s.later(t, poll("bot", id+"?wait=30"))
	s.listening(t, id, 1)
	s.Clock.Advance(time.Minute) // without a hint
	if status, _ := polled(t, come); status != "EXPIRED" {
		t.Errorf("got %s, want EXPIRED", status)
	}
}

func TestWaitingCallersAreAnsweredAtShutdown(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", nil)
	come, watched := s.later(t, poll("bot", id+"?wait=30&since=0")), s.watch(t, "bot", id)
	if name, _ := watched.next(t); name != "question" {
		t.Fatalf("the first event is %q", name)
	}
	s.listening(t, id, 2)
	s.end()
	if status, responses := polled(t, come); status != "OPEN" || responses != 0 {
		t.Errorf("got %s with %d answers, want the question as it is", status, responses)
	}
	if name, data := watched.next(t); name != "" {
		t.Errorf("got the event %s %s, want the end of the stream", name, data)
	}
}

func TestDisconnectedCallersAreReleased(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", nil)
	for _, path := range []string{id + "?wait=30", id + "/events"} {
		ctx, leave := context.WithCancel(t.Context())
		request := s.request(t, poll("bot", path)).WithContext(ctx)
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			if response, err := s.http.Do(request); err == nil {
				<-ctx.Done()
				response.Body.Close()
			}
		}()
		s.listening(t, id, 1)
		leave()
		<-gone
		s.listening(t, id, 0)
	}
	if log := s.log.String(); strings.Contains(log, "level=ERROR") {
		t.Errorf("that is no failure: %s", log)
	}
}

// A stream is the events of a question.
type stream struct{ lines *bufio.Scanner }

func (s *site) watch(t *testing.T, agent, id string) *stream {
	t.Helper()
	response, err := s.http.Do(s.request(t, poll(agent, id+"/events")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	if response.StatusCode != http.StatusOK {
		t.Fatalf("watching answers %s", response.Status)
	}
	return &stream{lines: bufio.NewScanner(response.Body)}
}

// next returns the next event or comment; "" at the end of the stream.
func (s *stream) next(t *testing.T) (event, data string) {
	t.Helper()
	for s.lines.Scan() {
		line := s.lines.Text()
		switch name, value, _ := strings.Cut(line, ": "); {
		case name == "event":
			event = value
		case name == "data":
			data = value
		case strings.HasPrefix(line, ":"):
			return "comment", value
		case line == "" && event != "":
			if event == "question" {
				if err := theDocument().valid([]byte(data), "components", "schemas", "Question"); err != nil {
					t.Errorf("the event is not what the document says: %v\n%s", err, data)
				}
			}
			return event, data
		}
	}
	if err := s.lines.Err(); err != nil {
		t.Errorf("the stream did not end well: %v", err)
	}
	return "", ""
}

func TestAStreamTellsEveryChangeUntilTheEnd(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", fields{"min_responses": 2})
	watched := s.watch(t, "bot", id)
	expect := func(event, part string) {
		t.Helper()
		if name, data := watched.next(t); name != event || !strings.Contains(data, part) {
			t.Fatalf("got the event %q %s, want %q with %s", name, data, event, part)
		}
	}
	expect("question", `"status":"OPEN"`)
	s.hub.Tell(live.Topic("question " + id)) // for nothing
	expect("comment", "alive")
	s.must(t, http.StatusCreated, says(s.newcomer(t), id, "The first answer"))
	expect("question", `"answer":"The first answer"`)
	s.must(t, http.StatusCreated, says(s.newcomer(t), id, "The second answer"))
	expect("question", `"status":"CLOSED"`)
	expect("end", `{"question_id":"`+id+`","status":"CLOSED"}`)
	expect("", "")
	s.listening(t, id, 0)

	watched = s.watch(t, "bot", id) // it is over already
	expect("question", `"status":"CLOSED"`)
	expect("end", `"CLOSED"`)
	expect("", "")
	a := s.must(t, http.StatusOK, call{method: "HEAD", path: "/agent/questions/" + id + "/events", agent: "bot"})
	if got := a.header.Get("Content-Type"); got != "text/event-stream; charset=utf-8" {
		t.Errorf("HEAD says it is %q", got)
	}
}

func TestAStreamEndsWithTheTime(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", fields{"timeout_seconds": 60})
	s.Clock.Advance(time.Minute - 5*time.Millisecond)
	watched := s.watch(t, "bot", id)
	s.Clock.Advance(time.Minute)
	var events []string
	for {
		name, _ := watched.next(t)
		if name == "" {
			break
		}
		if name != "comment" {
			events = append(events, name)
		}
	}
	if got := strings.Join(events, " "); got != "question question end" && got != "question end" {
		t.Errorf("the events are %s", got)
	}
}

// TestANewKeyEndsStreamsWithoutIt: whoever used the name before sees no more answers.
func TestANewKeyEndsStreamsWithoutIt(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", nil)
	stream := s.watch(t, "bot", id)
	if event, _ := stream.next(t); event != "question" {
		t.Fatalf("the stream begins with %q", event)
	}
	come := s.later(t, poll("bot", id+"?wait=30&since=0"))
	s.listening(t, id, 2)
	s.must(t, http.StatusCreated, call{method: "POST", path: "/agent/key", agent: "bot"})
	s.must(t, http.StatusCreated, says(s.newcomer(t), id, "For the owner of the key alone"))
	if event, data := stream.next(t); event != "" {
		t.Errorf("the stream goes on without the key: %s %s", event, data)
	}
	response := <-come
	if response == nil {
		t.FailNow()
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("the poll without the key: %s", response.Status)
	}
	s.listening(t, id, 0)
}
