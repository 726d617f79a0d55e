package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestResponsesDoNotIdentifyPeople walks through everything and looks for what must not be said:
// to anybody who a person is and where they are, to agents which answer is whose.
func TestResponsesDoNotIdentifyPeople(t *testing.T) {
	s := open(t)
	text := s.ask(t, "bot", fields{"min_responses": 3})
	choice := s.ask(t, "bot", fields{"type": "multiple_choice", "options": []string{"Hi", "Hello"}, "min_responses": 3})
	watched := s.watch(t, "bot", text)
	var secrets, responses []string
	for range 3 {
		address, person := freshIP(), ""
		from := func(c call) call { c.ip, c.person = address, person; return c }
		person = s.must(t, http.StatusCreated, from(call{method: "POST", path: "/human/identity"})).str("fingerprint")
		p, err := s.People.Identify(person, address, 0)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, p.Hash, p.IPHash, address)
		s.must(t, http.StatusCreated, from(call{method: "POST", path: "/human/push/subscribe", body: fields{}}))
		s.recordPush(t, p, text)
		for _, path := range []string{"questions", "questions/" + text, "stats", "leaderboard", "inbox"} {
			s.must(t, http.StatusOK, from(call{method: "GET", path: "/human/" + path}))
		}
		s.must(t, http.StatusNoContent, from(call{method: "POST", path: "/human/questions/" + choice + "/report", body: fields{"reason": "rude"}}))
		responses = append(responses,
			s.must(t, http.StatusCreated, from(says(person, text, "An answer of mine"))).str("response_id"),
			s.must(t, http.StatusCreated, from(chooses(person, choice, 0))).str("response_id"))
		s.must(t, http.StatusConflict, from(chooses(person, choice, 0)))
		for _, path := range []string{"questions/" + text, "stats", "leaderboard?period=daily"} {
			s.must(t, http.StatusOK, from(call{method: "GET", path: "/human/" + path}))
		}
		for _, path := range []string{"/agent/questions/" + text, "/agent/questions/" + choice + "?wait=30&since=0", "/agent/questions"} {
			s.must(t, http.StatusOK, call{method: "GET", path: path, agent: "bot"})
		}
		s.Clock.Advance(time.Minute)
	}
	s.must(t, http.StatusOK, call{method: "DELETE", path: "/agent/questions/" + text, agent: "bot"})
	for name := "start"; name != ""; {
		var data string
		name, data = watched.next(t)
		s.spoke.note("get /agent/questions/{id}/events", data)
	}

	secrets = append(secrets, "fingerprint_hash", "ip_hash", "127.0.0.1")
	agents := append([]string{"response_id"}, responses...)
	for _, said := range s.spoke.bodies {
		for _, secret := range secrets {
			if strings.Contains(said.text, secret) {
				t.Errorf("%s tells %q: %s", said.operation, secret, said.text)
			}
		}
		for _, secret := range agents {
			if strings.Contains(said.operation, " /agent/") && strings.Contains(said.text, secret) {
				t.Errorf("%s tells an agent %q: %s", said.operation, secret, said.text)
			}
		}
	}
	if len(s.spoke.bodies) < 40 || len(responses) != 6 || responses[0] == "" {
		t.Errorf("only %d answers and %d responses were looked at", len(s.spoke.bodies), len(responses))
	}
	if log := s.log.String(); strings.Contains(log, "198.51.") {
		t.Errorf("the log has an address: %s", log)
	}
}
