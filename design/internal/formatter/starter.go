package formatter

import (
	"bytes"
	_ "embed"
	"regexp"
)

//go:embed starter.design.yaml
var starter []byte

// plainName is a name that needs no quotes wherever it stands.
var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,99}$`)

// Starter is the small commented design to grow from. It has the name given, if that is
// a plain word; a file may be called anything, a design may not.
func Starter(name string) []byte {
	if !plainName.MatchString(name) || isYAMLWord(name) {
		return bytes.Clone(starter)
	}
	return bytes.Replace(starter, []byte("design: Shop\n"), []byte("design: "+name+"\n"), 1)
}

var yamlWord = regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|y|n)$`)

// isYAMLWord reports whether YAML takes a word for something else than a text.
func isYAMLWord(name string) bool { return yamlWord.MatchString(name) }
