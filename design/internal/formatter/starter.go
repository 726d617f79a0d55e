package formatter

import (
	"bytes"
	_ "embed"

	"sortkey.dev/internal/lazyregexp"
)

//go:embed starter.design.yaml
var starter []byte

// plainName matches names that never need quotes.
var plainName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]{0,99}$`)

// Starter returns the commented starter design, with the given name if it is a plain word.
func Starter(name string) []byte {
	if !plainName.MatchString(name) || isYAMLWord(name) {
		return bytes.Clone(starter)
	}
	return bytes.Replace(starter, []byte("design: Shop\n"), []byte("design: "+name+"\n"), 1)
}

var yamlWord = lazyregexp.New(`(?i)^(true|false|null|yes|no|on|off|y|n)$`)

// isYAMLWord reports whether YAML parses a word as something other than text.
func isYAMLWord(name string) bool { return yamlWord.MatchString(name) }
