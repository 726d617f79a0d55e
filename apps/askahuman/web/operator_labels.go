package web

import (
	"net/url"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/webkit"
)

// shortLength is the number of digits of a hash that are shown.
const shortLength = 8

func shortHash(hash string) string { return hash[:min(len(hash), shortLength)] }

// A personRef is a person as operators see them: the beginning of a hash. Question is a
// question related to the person, by which the whole hash is found again; "" if there is
// none.
type personRef struct{ Hash, Question string }

// Short returns the shortened hash.
func (p personRef) Short() string {
	if askahuman.FromOperator(askahumandb.QuestionReport{FingerprintHash: p.Hash}) {
		return "an operator"
	}
	return shortHash(p.Hash)
}

// Href returns the URL of the person's page; "" if there is none.
func (p personRef) Href() string {
	switch {
	case askahuman.FromOperator(askahumandb.QuestionReport{FingerprintHash: p.Hash}):
		return ""
	case p.Question == "":
		return "/operator/people/" + url.PathEscape(p.Hash)
	}
	return "/operator/people/" + shortHash(p.Hash) + "?" + url.Values{"question": {p.Question}}.Encode()
}

// Post returns the URL for forms about the person.
func (p personRef) Post() string { return "/operator/people/" + url.PathEscape(p.Hash) }

func moderationBadge(standing askahumandb.UserStatsStanding) webkit.Badge {
	switch standing {
	case askahumandb.UserStatsStandingBanned:
		return webkit.Badge{Text: "Banned", Tone: webkit.Bad, Icon: "error"}
	case askahumandb.UserStatsStandingShadowBanned:
		return webkit.Badge{Text: "Shadow-banned", Tone: webkit.Warn, Icon: "warn"}
	}
	return webkit.Badge{Text: "In good standing", Tone: webkit.Good, Icon: "check"}
}

func agentBadge(standing askahumandb.AgentStanding) webkit.Badge {
	if standing == askahumandb.AgentStandingBanned {
		return webkit.Badge{Text: "Banned", Tone: webkit.Bad, Icon: "error"}
	}
	return webkit.Badge{Text: "In good standing", Tone: webkit.Good, Icon: "check"}
}

func reasonBadge(reason *askahumandb.ResponseFlagReason) webkit.Badge {
	text := "Flagged"
	if reason != nil {
		switch *reason {
		case askahumandb.ResponseFlagReasonSuspiciousTiming:
			text = "Too fast"
		case askahumandb.ResponseFlagReasonDuplicateContent:
			text = "Same text as before"
		case askahumandb.ResponseFlagReasonPatternMatch:
			text = "Always just enough"
		case askahumandb.ResponseFlagReasonReported:
			text = "Reported"
		}
	}
	return webkit.Badge{Text: text, Tone: webkit.Warn, Icon: "flag"}
}

// flagBadge returns the badge of an answer's review state.
func flagBadge(response askahumandb.Response) webkit.Badge {
	switch response.FlagState {
	case askahumandb.ResponseFlagStateFlagged:
		return reasonBadge(response.FlagReason)
	case askahumandb.ResponseFlagStateApproved:
		return webkit.Badge{Text: "Approved", Tone: webkit.Good, Icon: "check"}
	case askahumandb.ResponseFlagStateRejected:
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

// A target is a part of an audit event's target, with an optional link.
type target struct{ Text, Href string }

// auditTargets splits the target of an audit event into parts. Hashes are shortened.
func auditTargets(action, text string) []target {
	fields := strings.Fields(text)
	kind := action[strings.LastIndexAny(action, " _")+1:]
	var targets []target
	for i, field := range fields {
		switch {
		case kind == "agent":
			targets = append(targets, target{"agent " + field, "/operator/questions?" + url.Values{"q": {field}}.Encode()})
		case kind == "loop":
			targets = append(targets, target{"loop " + field, ""})
		case kind == "job":
			targets = append(targets, target{"job " + withoutHashes(field), ""})
		case kind == "person" || i == 1:
			ref := personRef{Hash: field}
			if i == 1 {
				ref.Question = fields[0]
			}
			text := "person " + ref.Short()
			if ref.Href() == "" {
				text = ref.Short()
			}
			targets = append(targets, target{text, ref.Href()})
		default:
			targets = append(targets, target{"question " + field, "/operator/questions/" + url.PathEscape(field)})
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
