package web

import (
	"net/url"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
)

func shortHash(hash string) string { return hash[:min(len(hash), operators.ShortHash)] }

// A personRef is a person as operators see them: the beginning of a hash. Question is a
// question related to the person, by which the whole hash is found again; "" if there is
// none.
type personRef struct{ Hash, Question string }

// Short returns the shortened hash.
func (p personRef) Short() string {
	if operators.FromOperator(operators.Report{FingerprintHash: p.Hash}) {
		return "an operator"
	}
	return shortHash(p.Hash)
}

// Href returns the URL of the person's page; "" if there is none.
func (p personRef) Href() string {
	switch {
	case operators.FromOperator(operators.Report{FingerprintHash: p.Hash}):
		return ""
	case p.Question == "":
		return peoplePath + "/" + url.PathEscape(p.Hash)
	}
	return peoplePath + "/" + shortHash(p.Hash) + "?" + url.Values{"question": {p.Question}}.Encode()
}

// Post returns the URL for forms about the person.
func (p personRef) Post() string { return peoplePath + "/" + url.PathEscape(p.Hash) }

func moderationBadge(standing people.Standing) webkit.Badge {
	switch standing {
	case people.StandingBanned:
		return webkit.Badge{Text: "Banned", Tone: webkit.Bad, Icon: "error"}
	case people.StandingShadowBanned:
		return webkit.Badge{Text: "Shadow-banned", Tone: webkit.Warn, Icon: "warn"}
	}
	return webkit.Badge{Text: "In good standing", Tone: webkit.Good, Icon: "check"}
}

func agentBadge(standing questions.AgentStanding) webkit.Badge {
	if standing == questions.AgentBanned {
		return webkit.Badge{Text: "Banned", Tone: webkit.Bad, Icon: "error"}
	}
	return webkit.Badge{Text: "In good standing", Tone: webkit.Good, Icon: "check"}
}

func reasonBadge(reason *answers.FlagReason) webkit.Badge {
	text := "Flagged"
	if reason != nil {
		switch *reason {
		case answers.FlagReasonSuspiciousTiming:
			text = "Too fast"
		case answers.FlagReasonDuplicateContent:
			text = "Same text as before"
		case answers.FlagReasonPatternMatch:
			text = "Always just enough"
		case answers.FlagReasonReported:
			text = "Reported"
		}
	}
	return webkit.Badge{Text: text, Tone: webkit.Warn, Icon: "flag"}
}

// flagBadge returns the badge of an answer's review state.
func flagBadge(response answers.Response) webkit.Badge {
	switch response.FlagState {
	case answers.FlagStateFlagged:
		return reasonBadge(response.FlagReason)
	case answers.FlagStateApproved:
		return webkit.Badge{Text: "Approved", Tone: webkit.Good, Icon: "check"}
	case answers.FlagStateRejected:
		return webkit.Badge{Text: "Rejected", Tone: webkit.Bad, Icon: "close"}
	}
	if !response.Counted {
		return webkit.Badge{Text: "Not counted", Tone: webkit.Warn}
	}
	return webkit.Badge{Text: "Counted"}
}

// answeredIn returns the time an answer took, in words.
func answeredIn(ms *int64) string {
	switch {
	case ms == nil:
		return "time unknown"
	case *ms < 10_000:
		return "took " + webkit.Decimal(float64(*ms)/1000, 1) + " s"
	}
	return "took " + webkit.Duration(time.Duration(*ms)*time.Millisecond)
}

func confidenceText(confidence *int64) string {
	if confidence == nil {
		return ""
	}
	return "Confidence " + webkit.Number(*confidence) + " of 5"
}

// auditTargets splits the target of an audit event into parts. Hashes are shortened.
func auditTargets(action, text string) []operator.Target {
	fields := strings.Fields(text)
	kind := action[strings.LastIndexAny(action, " _")+1:]
	var targets []operator.Target
	add := func(text, href string) { targets = append(targets, operator.Target{Text: text, Href: href}) }
	for i, field := range fields {
		switch {
		case kind == "agent":
			add("agent "+field, agentAddress(field))
		case kind == "operator" || kind == "in": // sign in
			add(field, "")
		case kind == "loop":
			add("loop "+field, "")
		case kind == "job" || kind == "jobs":
			add("job "+withoutHashes(field), "")
		case kind == "person" || i == 1:
			ref := personRef{Hash: field}
			if i == 1 {
				ref.Question = fields[0]
			}
			text := "person " + ref.Short()
			if ref.Href() == "" {
				text = ref.Short()
			}
			add(text, ref.Href())
		default:
			add("question "+field, questionAddress(field))
		}
	}
	return targets
}

// hashLength is the number of digits of a person's hash.
const hashLength = 32

// withoutHashes shortens the hashes in a text.
func withoutHashes(text string) string {
	var out strings.Builder
	for len(text) > 0 {
		n := 0
		for n < len(text) && strings.IndexByte("0123456789abcdef", text[n]) >= 0 {
			n++
		}
		if n == hashLength {
			out.WriteString(shortHash(text[:n]) + "…")
		} else {
			n = max(n, 1)
			out.WriteString(text[:n])
		}
		text = text[n:]
	}
	return out.String()
}
