package rules

import (
	"strings"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/internal/lazyregexp"
)

// Corrections and requests change or delete data, so they must be the whole message. The patterns
// run over the message's words, joined by spaces, with members' names as "@" and interjections,
// politeness and marks left out. They are Swedish and English alike.
var (
	undoPattern     = lazyregexp.New(`^(` + undoReason + ` )?(ta bort|radera|ångra|stryk|undo|remove|delete|cancel)( (det|den|detta|det där|den där|(det|den) (senaste|sista)|senaste|sista|noteringen|den noteringen|it|that|this|that one|the last one|last one|the last entry|that entry))?( då| igen| again)?( ` + undoReason + `)?$`)
	denyPattern     = lazyregexp.New(`^(det|that|it|this) (var|was|is) (faktiskt |actually )?(inte jag|n't me|not me|not i)( som (gjorde det|diskade|var det)| who did it)?$`)
	creditPatterns  = []*lazyregexp.Regexp{lazyregexp.New(`^(det|that|it|this) (var|was) (inte jag|n't me|not me) (utan |det var |it was |that was |but )(faktiskt |actually )?@$`), lazyregexp.New(`^(det|that|it|this) (var|was) (faktiskt |actually )?@( som gjorde det| who did it)? (inte jag|not me)$`)}
	maybeCredit     = lazyregexp.New(`^(det|that|it) (var|was) (faktiskt |actually )?@$`)
	meantPattern    = lazyregexp.New(`^(jag menade|i meant|menade|meant) (att )?(the |den |det )?([^ ]+)$`)
	wasPattern      = lazyregexp.New(`^(det var|it was|that was) (the )?([^ ]+)$`)
	ratherPattern   = lazyregexp.New(`^(inte|not) (the )?[^ ]+ (utan|but) (the )?([^ ]+)$`)
	pausePattern    = lazyregexp.New(`^(paus|pausa|pausa mig|ta paus|pause|pause me|stop recording me|sluta spara mig|sluta logga mig)$`)
	ownPattern      = lazyregexp.New(`(^| )(mig|me|min|mina|my)( |$)`) // speaks of the author
	quietPattern    = lazyregexp.New(`^(var |be )?(tyst|quiet|silent)( bot| nu| now)?$`)
	summaryPattern  = lazyregexp.New(`^(summering|sammanfattning|min vecka|visa min vecka|summary|my week|show my week|min summering)$`)
	helpPattern     = lazyregexp.New(`^(hjälp|help|/help|/start)$`)
	requestPatterns = []struct {
		kind    understanding.RequestKind
		pattern *lazyregexp.Regexp
	}{
		{understanding.Pause, pausePattern}, {understanding.Resume, understanding.ResumeWords}, {understanding.Quiet, quietPattern},
		{understanding.Erase, understanding.EraseWords}, {understanding.Summary, summaryPattern}, {understanding.Help, helpPattern},
	}
)

// undoReason matches why something is to be removed.
const undoReason = `((det|den|that|this|it)( där)?( one)? )?(stämmer inte|är fel|blev fel|var fel|var (bara )?(ett skämt|ett misstag|på skoj)|mitt misstag|is wrong|'s wrong|was wrong|is n't right|'s not right|is not right|was (just )?(a mistake|a joke)|my mistake|my bad)`

// maxCorrection is the number of tokens up to which a message can be a correction or a request.
const maxCorrection = 14

// plain returns the message as the patterns of this file read it, the id of the only member it
// names, and whether it opens with a denial.
func (p *parser) plain() (text, member string, denies bool) {
	var words []string
	for i := range p.tokens {
		t := &p.tokens[i]
		switch {
		case t.quoted:
			words = append(words, "\"")
		case t.mark || t.symbol, t.is(polite):
		case t.text == "nej" || t.text == "no" || t.text == "nä" || t.text == "nope":
			denies = denies || len(words) == 0
			if len(words) > 0 {
				words = append(words, t.text)
			}
		case t.text == "oj" || t.text == "oops" || t.text == "ok" || t.text == "okej" || t.text == "tack" || t.text == "hey" || t.text == "hej" || t.text == "sorry" || t.text == "förlåt":
		case t.member != "" && t.member != p.message.Author:
			words, member = append(words, "@"), t.member
		default:
			words = append(words, t.text)
		}
	}
	return strings.Join(words, " "), member, denies
}

// corrections adds the correction that the whole message is, and reports whether it is one.
func (p *parser) corrections() bool {
	text, member, denies := p.plain()
	add := func(c understanding.Correction) bool {
		c.Span = understanding.Span{Start: 0, End: len(p.message.Text)}
		c.Reasons = []understanding.Reason{{Rule: "correction." + string(c.Kind), Span: c.Span}}
		p.meaning.Corrections = append(p.meaning.Corrections, c)
		return true
	}
	who := understanding.Person{Role: understanding.RoleMember, Member: member}
	switch {
	case undoPattern.MatchString(text):
		return add(understanding.Correction{Kind: understanding.Undo, Confidence: implied})
	case denyPattern.MatchString(text):
		return add(understanding.Correction{Kind: understanding.DenyAuthor, Confidence: implied})
	case member != "" && creditPatterns[0].MatchString(text):
		return add(understanding.Correction{Kind: understanding.CreditPerson, Who: who, Confidence: implied})
	case member != "" && (creditPatterns[1].MatchString(text) || maybeCredit.MatchString(text)):
		// It may speak of something else than an entry of the log.
		return add(understanding.Correction{Kind: understanding.CreditPerson, Who: who, Confidence: named})
	}
	right := ""
	if s := meantPattern.FindStringSubmatch(text); s != nil {
		right = s[4]
	} else if s := wasPattern.FindStringSubmatch(text); s != nil && denies {
		right = s[3]
	} else if s := ratherPattern.FindStringSubmatch(text); s != nil {
		right = s[5]
	}
	if right == "" {
		return false
	}
	for i := range p.tokens {
		t := &p.tokens[i]
		if t.text != right {
			continue
		}
		activity, name := t.nounActivity(), ""
		if t.learned != nil {
			activity, name = t.learned.Activity, t.learned.Name
		}
		if d, ok := understanding.Lookup(activity); ok {
			name = d.Noun(p.message.Locale)
		}
		if activity != "" {
			return add(understanding.Correction{Kind: understanding.ChangeActivity, Activity: activity, Name: name, Confidence: implied})
		}
	}
	return false
}

// requests adds the request that the whole message is, and reports whether it is one.
func (p *parser) requests() bool {
	text, _, denies := p.plain()
	for _, r := range requestPatterns {
		if denies || !r.pattern.MatchString(text) {
			continue
		}
		confidence := implied
		shared := r.kind == understanding.Help || r.kind == understanding.Pause && !ownPattern.MatchString(text)
		if shared && !p.message.Addressed { // members call each other for help, and pause films
			confidence = named
		}
		span := understanding.Span{Start: 0, End: len(p.message.Text)}
		p.meaning.Requests = append(p.meaning.Requests, understanding.Request{
			Kind: r.kind, Confidence: confidence, Span: span, Reasons: []understanding.Reason{{Rule: "request." + string(r.kind), Span: span}},
		})
		return true
	}
	return false
}
