package migrate

import (
	"strings"
	"testing"
)

// TestSettings reads what people change in the file of a migration.
func TestSettings(t *testing.T) {
	s, err := ReadSettings("f.yaml", []byte("strategy: tail\nrate: { write: 50/s, read: 7/s, most: $20 }\nconflicts: 11\nhold: { read: false, fill: true }\naccept: { E045: the table is empty }\nsteps:\n  - { step: read }\n"))
	if err != nil || s.Strategy != "tail" || s.Write != 50 || s.Read != 7 || s.Most != "$20" || s.Conflicts != "11" || s.Holds["read"] || !s.Holds["fill"] || s.Accept["E045"] != "the table is empty" {
		t.Errorf("%+v, %v", s, err)
	}
	for text, want := range map[string]string{
		"rate: { write: fast }":         `f.yaml:1: rate: write is a number of units a second such as 1000/s, not "fast"`,
		"rate: { write: 0/s }":          "rate: write is a number",
		"rate: { most: 20 }":            "rate: most is an amount such as $20",
		"rate: { speed: 1/s }":          "rate has write, read and most",
		"rate: 7":                       "a block of names and values is needed",
		"migration: x\nconflicts: some": "f.yaml:2: conflicts is stop or a number",
		"conflicts: -1":                 "conflicts is stop or a number",
		"hold: { lunch: true }":         `"lunch" is no step; the steps are expand, deploy`,
		"hold: { read: perhaps }":       "hold of read is true or false",
		"accept: { E999: x }":           `no rule has the code or name "E999"`,
		"accept: { E045: }":             "needs a value",
		"strategy: rebuild":             `strategy is dual or tail, not "rebuild"`,
		"- a":                           "it is no migration",
		"":                              "it is no migration",
		"a: [":                          "f.yaml:1: ",
	} {
		if _, err := ReadSettings("f.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestPlansAreReadAgain reads the settings of a file that was printed.
func TestPlansAreReadAgain(t *testing.T) {
	p := &Plan{ID: "0002-x", Design: "Shop", Settings: Settings{Write: 3, Read: 4, Most: "$5", Conflicts: "stop", Holds: map[string]bool{"read": false}}}
	s, err := ReadSettings("f.yaml", p.YAML())
	if err != nil || s.Write != 3 || s.Read != 4 || s.Most != "$5" || s.Conflicts != "stop" || len(s.Holds) != 1 || s.Holds["read"] {
		t.Errorf("%+v, %v\n%s", s, err, p.YAML())
	}
}

// FuzzSettings reads files that people or machines damaged.
func FuzzSettings(f *testing.F) {
	p := &Plan{ID: "0002-x", Design: "Shop", Settings: Settings{Write: 3, Read: 4, Conflicts: "stop"}}
	f.Add(p.YAML())
	f.Add([]byte("rate: { write: 1/s }\nhold: { read: true }\naccept: { E014: why }\nconflicts: 3"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := ReadSettings("f.yaml", text); err == nil && (s.Write < 0 || s.Read < 0) {
			t.Errorf("%+v", s)
		}
	})
}
