package cli

import (
	"bytes"
	"flag"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelpFitsATerminal checks that no line of the help is wider than 80 columns.
func TestHelpFitsATerminal(t *testing.T) {
	calls := []string{"help"}
	for _, c := range commands() {
		calls = append(calls, "help "+c.name)
	}
	for _, call := range calls {
		code, out, _ := runAlone(strings.Fields(call)...)
		if code != exitOK {
			t.Errorf("sortkey %s: exit code %d", call, code)
		}
		checkWidth(t, call, out, 80)
	}
}

func checkWidth(t *testing.T, name, text string, most int) {
	t.Helper()
	for line := range strings.Lines(text) {
		if wide := utf8.RuneCountInString(strings.TrimRight(line, "\n")); wide > most {
			t.Errorf("%s: %d columns: %s", name, wide, line)
		}
	}
}

// TestPlaceholdersAreUpperCase checks that the values of all flags look the same in help and manual pages.
func TestPlaceholdersAreUpperCase(t *testing.T) {
	for _, c := range commands() {
		flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
		c.setup(flags)
		flags.VisitAll(func(f *flag.Flag) {
			if value, _ := flag.UnquoteUsage(f); value != strings.ToUpper(value) {
				t.Errorf("sortkey %s --%s %s", c.name, f.Name, value)
			}
		})
	}
}

func TestFillKeepsExamples(t *testing.T) {
	about := "One sentence that is short.\nAnother.\n  an example   that stays\n\n" + strings.Repeat("word ", 20)
	want := "One sentence that is short. Another.\n  an example   that stays\n\n" +
		strings.TrimSpace(strings.Repeat("word ", 16)) + "\nword word word word"
	if got := fillAll(about); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestManualPageOfACommand checks the title, the tags of flags and the description of a page.
func TestManualPageOfACommand(t *testing.T) {
	page := manualOf(checkCommand(), build{Version: "v1.2.3", Time: "2026-11-19T05:06:37Z"})
	for _, want := range []string{
		".TH SORTKEY\\-CHECK 1 \"2026\\-11\\-19\" \"sortkey v1.2.3\" \"User Commands\"\n",
		".TP\n.BI \"\\-\\-fail\\-on \" SEVERITY\nexit 1 on findings",
		".TP\n.B \\-\\-json\nprint one JSON object\n",
		".SH DESCRIPTION\nA FILE is a design file,",
		"with a reason:\n.nf\n  accept: {",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if page := manualOfAll(build{Version: "(devel)"}); !strings.HasPrefix(page, ".TH SORTKEY 1 \"\" \"sortkey (devel)\" ") {
		t.Errorf("a build without a commit: %.100s", page)
	}
}

// TestManualPagesFitATerminal checks that lines that are not filled fit in 80 columns beside their indentation
// of 7. Where groff is installed it checks the pages as they are shown, too.
func TestManualPagesFitATerminal(t *testing.T) {
	groff, err := exec.LookPath("groff")
	installed := err == nil
	for _, c := range commands() {
		for _, part := range blocks(c.about) {
			if part.kind == example {
				checkWidth(t, c.name, part.text, 73)
			}
		}
		if !installed {
			continue
		}
		show := exec.Command(groff, "-man", "-Tascii", "-P-cbou", "-rLL=78n")
		show.Stdin = strings.NewReader(manualOf(c, build{Version: "v1.2.3", Time: "2026-11-19T05:06:37Z"}))
		var complaints bytes.Buffer
		show.Stderr = &complaints
		shown, err := show.Output()
		if err != nil || complaints.Len() > 0 {
			t.Errorf("%s: %v: %s", c.name, err, &complaints)
		}
		checkWidth(t, c.name, string(shown), 80)
	}
}
