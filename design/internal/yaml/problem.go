package yaml

import "fmt"

// Messages of problems that are reported in several places.
const (
	tabMessage     = "a tab: YAML takes only spaces here"
	nothingMessage = "this belongs to nothing: the indentation is wrong, or quotes are missing"
	longKeyMessage = "? begins a long key, which designs do not use; write key: value"
)

// problem reports a problem with the characters from start to end on the current line.
func (s *scanner) problem(kind ProblemKind, start, end int, format string, args ...any) {
	if s.stopped {
		return
	}
	column := s.columnOf(start)
	s.report(Problem{Kind: kind, Line: s.line + 1, Column: column, EndColumn: max(column+1, s.columnOf(max(start, end))), Message: fmt.Sprintf(format, args...)})
}

func (s *scanner) report(problem Problem) {
	if s.stopped {
		return
	}
	s.problems = append(s.problems, problem)
	if problem.Kind == Syntax || problem.Kind == TooLarge || len(s.problems) == maxProblems {
		s.stop()
	}
}

// fail reports a syntax error at a node.
func (s *scanner) fail(n *Node, format string, args ...any) {
	s.report(Problem{Line: int(n.Line), Column: int(n.Column), EndColumn: int(n.EndColumn), Message: fmt.Sprintf(format, args...)})
}

// stop ends parsing: the scanner moves to the end of the text.
func (s *scanner) stop() {
	s.stopped = true
	s.line = len(s.doc.starts) - 1
	s.lineStart = int(s.doc.starts[s.line])
	s.pos, s.indent = len(s.src), 0
	s.columnAt, s.column = s.lineStart, 1
}

// refuse reports the current character as an unsupported YAML feature.
func (s *scanner) refuse(message string) {
	s.problem(Refused, s.pos, s.pos+1, "%s", message)
}

// nothing reports a word that belongs to no block.
func (s *scanner) nothing() {
	s.problem(Syntax, s.pos, s.wordEnd(), nothingMessage)
}

// tabbed reports a tab in the indentation of the current word, which is the first of
// its line.
func (s *scanner) tabbed() bool {
	tab := s.lineStart + s.indent
	if s.pos == tab {
		return false
	}
	s.problem(Syntax, tab, tab+1, tabMessage)
	return true
}
