package yaml_test

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"sortkey.dev/design/internal/yaml"
)

// A value is the meaning of a text, without its notation. The order of keys matters.
type value struct {
	Kind    string // null, text, mapping, list
	Text    string
	Keys    []string
	Entries []value
}

// ours returns the value of a node of our parser.
func ours(n *yaml.Node) value {
	if n == nil || n.IsNull() {
		return value{Kind: "null"}
	}
	v := value{Kind: map[yaml.Kind]string{yaml.Scalar: "text", yaml.Mapping: "mapping", yaml.List: "list"}[n.Kind], Text: n.Text}
	for _, e := range n.Entries {
		if e.Key != nil {
			v.Keys = append(v.Keys, e.Key.Text)
		}
		v.Entries = append(v.Entries, ours(e.Value))
	}
	return v
}

// theirs returns the value of a text as parsed by the library, or its error.
func theirs(text string) (v value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	tokens := lexer.Tokenize(strings.TrimPrefix(text, "\uFEFF"))
	if bad := tokens.InvalidToken(); bad != nil {
		return value{}, fmt.Errorf("%s", bad.Error)
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return value{}, err
	}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			return theirNode(doc.Body), nil
		}
	}
	return value{Kind: "null"}, nil
}

func theirNode(n ast.Node) value {
	switch n := n.(type) {
	case *ast.MappingNode:
		return theirMapping(n.Values)
	case *ast.MappingValueNode:
		return theirMapping([]*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		v := value{Kind: "list"}
		for _, item := range n.Values {
			v.Entries = append(v.Entries, theirNode(item))
		}
		return v
	case *ast.LiteralNode:
		return value{Kind: "text", Text: n.Value.Value}
	case *ast.NullNode:
		return value{Kind: "null"}
	case *ast.CommentGroupNode:
		return value{Kind: "null"}
	}
	return value{Kind: "text", Text: theirText(n.GetToken())}
}

func theirText(tk *token.Token) string { return tk.Value }

func theirMapping(values []*ast.MappingValueNode) value {
	v := value{Kind: "mapping"}
	for _, e := range values {
		v.Keys = append(v.Keys, theirText(e.Key.GetToken()))
		v.Entries = append(v.Entries, theirNode(e.Value))
	}
	return v
}
