// This program calls generated methods with the arguments in a file and writes down what
// they sent.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var calls []sentCall
	if err := json.Unmarshal(text, &calls); err != nil {
		return err
	}
	api := &recorder{}
	databases := map[string]reflect.Value{}
	for name, open := range packages {
		databases[name] = reflect.ValueOf(open(api, access.WithSealer(openSealer{})))
	}
	outcomes := make([]outcome, len(calls))
	for i, c := range calls {
		outcomes[i] = api.during(func() error { return c.send(databases[c.Package]) })
	}
	if text, err = json.Marshal(outcomes); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// send calls the method, and what sends the requests if the method itself does not.
func (c sentCall) send(db reflect.Value) error {
	ctx := reflect.ValueOf(context.Background())
	on := db
	if c.InTx {
		on = db.MethodByName("Tx").Call(nil)[0]
	}
	method := on.MethodByName(c.Method)
	if !method.IsValid() {
		return fmt.Errorf("there is no method %s", c.Method)
	}
	t := method.Type()
	var in []reflect.Value
	if t.NumIn() > 0 && t.In(0) == reflect.TypeFor[context.Context]() {
		in = append(in, ctx)
	}
	for _, arg := range c.Args {
		if len(in) == t.NumIn() {
			return fmt.Errorf("%s takes %d arguments", c.Method, t.NumIn())
		}
		v := reflect.New(t.In(len(in))).Elem()
		if err := fill(v, arg); err != nil {
			return fmt.Errorf("argument %d of %s: %w", len(in), c.Method, err)
		}
		in = append(in, v)
	}
	out := method.Call(in)
	switch {
	case c.InTx:
		out = on.MethodByName("Commit").Call([]reflect.Value{ctx})
	case len(out) == 1 && out[0].MethodByName("Slice").IsValid():
		out = out[0].MethodByName("Slice").Call([]reflect.Value{ctx})
	}
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// fill gives a Go value what the file says.
func fill(v reflect.Value, from any) error {
	if from == nil {
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fill(v.Elem(), from)
	case reflect.Struct:
		if v.Type() != reflect.TypeFor[time.Time]() {
			return fillStruct(v, from)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			return fillSlice(v, from)
		}
	case reflect.Map:
		return fillMap(v, from)
	}
	text, ok := from.(string)
	if !ok {
		return fmt.Errorf("%s is no %s", from, v.Type())
	}
	return fillText(v, text)
}

func fillStruct(v reflect.Value, from any) error {
	fields, ok := from.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is no %s", from, v.Type())
	}
	for name, value := range fields {
		field := v.FieldByName(name)
		if !field.IsValid() {
			return fmt.Errorf("%s has no %s", v.Type(), name)
		}
		if err := fill(field, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func fillSlice(v reflect.Value, from any) error {
	elements, ok := from.([]any)
	if !ok {
		return fmt.Errorf("%s is no %s", from, v.Type())
	}
	v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
	for i, element := range elements {
		if err := fill(v.Index(i), element); err != nil {
			return err
		}
	}
	return nil
}

func fillMap(v reflect.Value, from any) error {
	fields, ok := from.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is no %s", from, v.Type())
	}
	v.Set(reflect.MakeMap(v.Type()))
	for name, value := range fields {
		element := reflect.New(v.Type().Elem()).Elem()
		if err := fill(element, value); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(name), element)
	}
	return nil
}

func fillText(v reflect.Value, text string) (err error) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(text == "true")
	case reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		v.SetInt(n)
	case reflect.Float64:
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		v.SetFloat(f)
	case reflect.Slice:
		var b []byte
		b, err = base64.StdEncoding.DecodeString(text)
		v.SetBytes(b)
	case reflect.Struct:
		var at time.Time
		if strings.Contains(text, "T") {
			at, err = marshal.ParseTime(text)
		} else {
			var n int64
			n, err = strconv.ParseInt(text, 10, 64)
			at = time.Unix(n, 0)
		}
		v.Set(reflect.ValueOf(at))
	default:
		err = fmt.Errorf("%s is a type nobody knows", v.Type())
	}
	return err
}
