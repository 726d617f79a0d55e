package cost_test

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// The pilot of an exam system, with the load its document calls small scale.
const exams = `
design: Exams
region: us-east-1
free_tier: none
entities:
  User:
    id: user_id
    unique: [email]
    attributes: { user_id: ulid, email: string, name: string }
    size: 400B
    count: 1000
  Question:
    id: question_id
    attributes: { question_id: ulid, project_id: ulid, order: int, text: string }
    size: { avg: 6KB, max: 10KB }
    count: 10000
    per: { project_id: { avg: 50, max: 1000 } }
  Attempt:
    id: attempt_id
    attributes: { attempt_id: ulid, candidate_id: ulid, project_id: ulid, status: "enum(OPEN, DONE)", notes: string }
    size: 3.5KB
    count: 1000
    per: { candidate_id: { avg: 5, max: 60 } }
  Answer:
    id: answer_id
    attributes: { answer_id: ulid, attempt_id: ulid, choice: string }
    size: 350B
    count: 1000
    per: { attempt_id: { avg: 50, max: 150 } }
tables:
  exams:
    pk: PK
    sk: SK
    indexes:
      GSI1: { pk: GSI1PK, sk: GSI1SK }
      GSI2: { pk: GSI2PK, sk: GSI2SK }
    items:
      User: { PK: "USER#{user_id}", SK: "USER", GSI1PK: "EMAIL#{email}", GSI1SK: "EMAIL" }
      Question: { PK: "PROJECT#{project_id}", SK: "QUESTION#{order|pad 5}#{question_id}" }
      Attempt:
        PK: "CANDIDATE#{candidate_id}"
        SK: "ATTEMPT#{attempt_id}"
        GSI1PK: "ATTEMPT#{attempt_id}"
        GSI1SK: "ATTEMPT"
        GSI2PK: "PROJECT#{project_id}#{status}"
        GSI2SK: "ATTEMPT#{attempt_id}"
      Answer: { PK: "ATTEMPT#{attempt_id}", SK: "ANSWER#{answer_id}", GSI1PK: "ANSWER#{answer_id}", GSI1SK: "ANSWER" }
    guards:
      User.email: { PK: "UNIQUE#{email|lower}", SK: "UNIQUE" }
patterns:
  Login: { get: User, where: { email: $ }, rate: 1M/month }
  FetchExam: { list: Question, where: { project_id: $ }, order: order asc, rate: 500k/month }
  StartAttempt: { create: Attempt, rate: 100k/month }
  FinishAttempt:
    update: Attempt
    where: { candidate_id: $, attempt_id: $, project_id: $ }
    set: [status]
    rate: 1/month
  SaveAnswer: { put: Answer, rate: 5M/month }
  AddUser: { create: User, rate: 1/month }
  ScoreAll:
    transact:
      - update: Attempt
        where: { candidate_id: $, attempt_id: $ }
        set: [notes]
      - create: Answer
        each: 3
    rate: 1/month
profiles:
  tenfold: { scale: 10 }
`

func load(t *testing.T, text string) *model.Design {
	t.Helper()
	report := &diag.Report{}
	d := loader.Load([]loader.Source{{Name: "test.design.yaml", Text: []byte(text)}}, report)
	if d == nil || report.Failed() {
		t.Fatalf("the design cannot be read: %+v", report.Findings())
	}
	return d
}

func TestUnitsOfADesign(t *testing.T) {
	d := load(t, exams)
	e := cost.Price(resolve.New(d), cost.Options{})
	for _, c := range []struct{ name, read, write, amplification string }{
		{"Login", "0.5", "0", "0"},
		{"FetchExam", "37.5", "0", "0"},
		{"StartAttempt", "0", "12", "3"},  // 4 on the table and in each index
		{"FinishAttempt", "0", "16", "4"}, // its entry of GSI2 moves
		{"SaveAnswer", "0", "2", "2"},
		{"AddUser", "0", "5", "1.25"}, // with its guard, in a transaction; the index once
		{"ScoreAll", "0", "25", ""},   // 2 * 4 + 4 + 4 and three times 2 * 1 + 1
	} {
		p := d.Pattern(c.name)
		got := e.Pattern(p)
		if !got.Read.Equal(exact.MustParse(c.read)) || !got.Write.Equal(exact.MustParse(c.write)) {
			t.Errorf("%s takes %s and %s units, want %s and %s: %+v", c.name, got.Read, got.Write, c.read, c.write, got.Uses)
		}
		if c.amplification != "" && c.amplification != "0" && !got.Amplification.Equal(exact.MustParse(c.amplification)) {
			t.Errorf("%s is amplified %s times, want %s", c.name, got.Amplification, c.amplification)
		}
	}
}

// The document states $1.75 a month. It omits the size of an exam, the answers, and the
// index entries.
func TestCostOfExamsExceedsTheDocument(t *testing.T) {
	d := load(t, exams)
	now := cost.Price(resolve.New(d), cost.Options{})
	for _, c := range []struct {
		name string
		want string
	}{{"Login", "0.06"}, {"FetchExam", "2.34"}, {"StartAttempt", "0.75"}, {"SaveAnswer", "6.25"}} {
		if got := now.Pattern(d.Pattern(c.name)).OnDemand.Fixed(2); got != c.want {
			t.Errorf("%s costs $%s a month, want $%s", c.name, got, c.want)
		}
	}
	requests := now.OnDemand.Line(cost.Reads).Amount.Add(now.OnDemand.Line(cost.Writes).Amount)
	if got := requests.Add(exact.MustParse("1.25")).Fixed(0); got != "11" { // and 5 GB
		t.Errorf("the month costs $%s, want $11", got)
	}
	prices, err := cost.PricesOf("us-east-1@2024-10")
	if err != nil {
		t.Fatal(err)
	}
	before := cost.Price(resolve.New(d), cost.Options{Prices: prices})
	if got := before.OnDemand.Line(cost.Writes).Amount; !got.Equal(now.OnDemand.Line(cost.Writes).Amount.Times(2)) {
		t.Errorf("at the prices before November 2024 the writes cost %s", got)
	}
}

func TestProfilesOfADesign(t *testing.T) {
	d := load(t, exams)
	once := cost.Price(resolve.New(d), cost.Options{})
	tenfold := cost.Price(resolve.New(d), cost.Options{Profile: d.Profiles[0]})
	if !tenfold.OnDemand.Total.Equal(once.OnDemand.Total.Times(10)) {
		t.Errorf("ten times the load costs %s, once %s", tenfold.OnDemand.Total, once.OnDemand.Total)
	}
	if !tenfold.Bytes().Equal(once.Bytes().Times(10)) {
		t.Errorf("ten times the items take %s bytes, once %s", tenfold.Bytes(), once.Bytes())
	}
}

const household = `
design: Household
region: eu-north-1
entities:
  Message:
    id: [chat, message]
    attributes: { chat: string, message: int, user: int, text: string }
    size: 1.5KB
    growth: 5000/month
    keep: 365d
tables:
  messages: { pk: chat, sk: message, pitr: true, items: [Message] }
patterns:
  SaveMessage: { create: Message, rate: 5000/month }
`

// A message of 1 to 2 KB takes two write units, not one, and Stockholm's prices are marked as
// derived.
func TestCostOfAMessage(t *testing.T) {
	d := load(t, household)
	e := cost.Price(resolve.New(d), cost.Options{})
	if got := e.Pattern(d.Pattern("SaveMessage")).Write; !got.Equal(exact.Int(2)) {
		t.Errorf("saving a message takes %s units, want 2", got)
	}
	if !e.Prices.Approximate || !strings.Contains(e.Prices.Note, "derived") || e.Prices.Region != "eu-north-1" {
		t.Errorf("priced in %s, note %q", e.Prices.Region, e.Prices.Note)
	}
	if got := e.Tables[0].Paths[0].Items; !got.Equal(exact.Int(60000)) {
		t.Errorf("a year of messages is %s, want 60000", got)
	}
	if !e.FreeTier.Covers || e.FreeTier.Writes().Fixed(0) != "65700000" {
		t.Errorf("the free tier gives %s writes and covers %v", e.FreeTier.Writes(), e.FreeTier.Covers)
	}
}
