package stream

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// maxDepth limits how deep values may be nested. DynamoDB stores 32 levels; a little more is
// room for what counts levels otherwise.
const maxDepth = 40

// A jsonReader reads DynamoDB's JSON in one pass, straight into the SDK's types. Errors
// say what was found in place of what; the callers add where.
type jsonReader struct{ *json.Decoder }

func newJSONReader(data []byte) jsonReader {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return jsonReader{d}
}

// end makes sure that nothing follows.
func (d jsonReader) end() error {
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the end")
	}
	return nil
}

// object reads an object and calls member for each of its members, which has to read the
// value.
func (d jsonReader) object(member func(name string) error) error {
	if err := d.open('{', "an object"); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		text, _ := name.(string) // the decoder lets nothing else be a name
		if err := member(text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	_, err := d.Token()
	return err
}

// array reads an array and calls element for each of its elements.
func (d jsonReader) array(element func() error) error {
	if err := d.open('[', "an array"); err != nil {
		return err
	}
	for i := 0; d.More(); i++ {
		if err := element(); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	_, err := d.Token()
	return err
}

func (d jsonReader) open(delimiter json.Delim, what string) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if token != delimiter {
		return fmt.Errorf("%s where %s should be", describe(token), what)
	}
	return nil
}

// skip reads a value of any kind and forgets it.
func (d jsonReader) skip() error {
	var ignored json.RawMessage
	return d.Decode(&ignored)
}

func (d jsonReader) text(to *string) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	s, is := token.(string)
	if !is {
		return fmt.Errorf("%s where a text should be", describe(token))
	}
	*to = s
	return nil
}

func (d jsonReader) bool(to *bool) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	b, is := token.(bool)
	if !is {
		return fmt.Errorf("%s where true or false should be", describe(token))
	}
	*to = b
	return nil
}

func (d jsonReader) number(to *string) error {
	if err := d.text(to); err != nil {
		return err
	}
	if s := *to; !json.Valid([]byte(s)) || s[0] != '-' && !isDigit(s[0]) || !isDigit(s[len(s)-1]) {
		return fmt.Errorf("%q is not a number", s)
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (d jsonReader) bytes(to *[]byte) error {
	var s string
	if err := d.text(&s); err != nil {
		return err
	}
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return fmt.Errorf("not base64: %w", err)
	}
	*to = b
	return nil
}

// item reads attributes by name.
func (d jsonReader) item(depth int) (access.Item, error) {
	item := access.Item{}
	err := d.object(func(name string) error {
		v, err := d.value(depth)
		item[name] = v
		return err
	})
	return item, err
}

// value reads an object with one member, whose name is the type of the value.
func (d jsonReader) value(depth int) (v types.AttributeValue, err error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	err = d.object(func(kind string) error {
		if v != nil {
			return errors.New("a second type of one value")
		}
		v, err = d.typed(kind, depth)
		return err
	})
	if err == nil && v == nil {
		err = errors.New("a value without a type")
	}
	return v, err
}

func (d jsonReader) typed(kind string, depth int) (types.AttributeValue, error) {
	switch kind {
	case "S":
		v := &types.AttributeValueMemberS{}
		return v, d.text(&v.Value)
	case "N":
		v := &types.AttributeValueMemberN{}
		return v, d.number(&v.Value)
	case "B":
		v := &types.AttributeValueMemberB{}
		return v, d.bytes(&v.Value)
	case "BOOL":
		v := &types.AttributeValueMemberBOOL{}
		return v, d.bool(&v.Value)
	case "NULL":
		v := &types.AttributeValueMemberNULL{}
		return v, d.bool(&v.Value)
	case "SS":
		values, err := elements(d, d.text)
		return &types.AttributeValueMemberSS{Value: values}, err
	case "NS":
		values, err := elements(d, d.number)
		return &types.AttributeValueMemberNS{Value: values}, err
	case "BS":
		values, err := elements(d, d.bytes)
		return &types.AttributeValueMemberBS{Value: values}, err
	case "L":
		values, err := elements(d, func(to *types.AttributeValue) (err error) {
			*to, err = d.value(depth + 1)
			return err
		})
		return &types.AttributeValueMemberL{Value: values}, err
	case "M":
		values, err := d.item(depth + 1)
		return &types.AttributeValueMemberM{Value: values}, err
	}
	return nil, errors.New("an unknown type of value")
}

// elements reads an array with the elements of a set or list.
func elements[T any](d jsonReader, read func(*T) error) ([]T, error) {
	all := []T{}
	err := d.array(func() error {
		var v T
		err := read(&v)
		all = append(all, v)
		return err
	})
	return all, err
}

// describe says what a token is, in words.
func describe(token json.Token) string {
	switch token := token.(type) {
	case json.Delim:
		return map[json.Delim]string{'{': "an object", '[': "an array"}[token]
	case string:
		return "a text"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}

// plainItem returns an item as encoding/json has to see it to write what item reads.
func plainItem(item access.Item) map[string]any {
	plain := make(map[string]any, len(item))
	for name, v := range item {
		plain[name] = plainValue(v)
	}
	return plain
}

func plainValue(v types.AttributeValue) map[string]any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return map[string]any{"S": v.Value}
	case *types.AttributeValueMemberN:
		return map[string]any{"N": v.Value}
	case *types.AttributeValueMemberB:
		return map[string]any{"B": v.Value}
	case *types.AttributeValueMemberBOOL:
		return map[string]any{"BOOL": v.Value}
	case *types.AttributeValueMemberNULL:
		return map[string]any{"NULL": v.Value}
	case *types.AttributeValueMemberSS:
		return map[string]any{"SS": v.Value}
	case *types.AttributeValueMemberNS:
		return map[string]any{"NS": v.Value}
	case *types.AttributeValueMemberBS:
		return map[string]any{"BS": v.Value}
	case *types.AttributeValueMemberM:
		return map[string]any{"M": plainItem(v.Value)}
	case *types.AttributeValueMemberL:
		list := make([]any, len(v.Value))
		for i, element := range v.Value {
			list[i] = plainValue(element)
		}
		return map[string]any{"L": list}
	}
	return nil // reading it back is an error
}
