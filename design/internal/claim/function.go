package claim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A Function is a function of formulas.
type Function struct {
	Name   string
	Doc    string // one line for the reference
	params []param
	repeat bool // the last parameter may be repeated

	// scope, if set, returns the environment for the arguments after the first.
	scope func(Env, argument) (Env, error)
	call  func(Env, []argument) (value, error)
}

// A param is one parameter of a function: a number or a name of something.
type param struct {
	name     string
	kind     paramKind
	optional bool
}

type paramKind int

const (
	numberParam paramKind = iota
	wordParam
)

func number(name string) param { return param{name: name} }
func word(name string) param   { return param{name: name, kind: wordParam} }
func maybe(name string) param  { return param{name: name, kind: wordParam, optional: true} }

// An argument is the value of a parameter in a call.
type argument struct {
	value          value
	word           string
	offset, length int
}

// about returns an error located at the argument.
func (a argument) about(format string, values ...any) error {
	return &fault{a.offset, a.length, fmt.Sprintf(format, values...)}
}

// Signature returns the signature in the form of the reference: month(billing, profile?).
func (f *Function) Signature() string {
	names := make([]string, len(f.params))
	for i, p := range f.params {
		names[i] = p.name
		if p.optional {
			names[i] += "?"
		}
	}
	if f.repeat {
		names = append(names, "...")
	}
	return f.Name + "(" + strings.Join(names, ", ") + ")"
}

// required returns the number of required arguments.
func (f *Function) required() int {
	n := 0
	for _, p := range f.params {
		if !p.optional {
			n++
		}
	}
	return n
}

// param returns the parameter of the i-th argument.
func (f *Function) param(i int) (param, bool) {
	if i < len(f.params) {
		return f.params[i], true
	}
	if len(f.params) == 0 {
		return param{}, false
	}
	return f.params[len(f.params)-1], f.repeat
}

// Functions returns all functions of formulas, in the order of the reference.
func Functions() []*Function {
	return slices.Concat(workloadFunctions, moneyFunctions, layoutFunctions, geoFunctions, arithmeticFunctions)
}

// functions maps names to functions. It is filled at program start, because functions
// compute formulas and formulas call functions.
var functions map[string]*Function

func init() {
	functions = make(map[string]*Function)
	for _, f := range Functions() {
		functions[f.Name] = f
	}
}

func functionNames() []string { return slices.Sorted(maps.Keys(functions)) }

var arithmeticFunctions = []*Function{
	{Name: "ceil", Doc: "The smallest whole number not below x.", params: []param{number("x")},
		call: onNumber(func(n exact.Number) exact.Number { return n.Ceil() })},
	{Name: "floor", Doc: "The largest whole number not above x.", params: []param{number("x")},
		call: onNumber(func(n exact.Number) exact.Number { return n.Floor() })},
	{Name: "round", Doc: "x rounded to a whole number, half away from zero.", params: []param{number("x")},
		call: onNumber(func(n exact.Number) exact.Number { return n.Round(0) })},
	{Name: "max", Doc: "The largest of its arguments.", params: []param{number("x"), number("y")}, repeat: true, call: extreme(1)},
	{Name: "min", Doc: "The smallest of its arguments.", params: []param{number("x"), number("y")}, repeat: true, call: extreme(-1)},
	{Name: "pow", Doc: "x multiplied with itself n times; n is whole, from 0 to 100.",
		params: []param{number("x"), number("n")}, call: power},
	{Name: "seconds", Doc: "The seconds of a duration: seconds(90d) is 7776000.",
		params: []param{number("duration")}, call: seconds},
}

// onNumber returns a function that changes a number in the unit it is written in.
func onNumber(change func(exact.Number) exact.Number) func(Env, []argument) (value, error) {
	return func(_ Env, args []argument) (value, error) {
		v := args[0].value
		return v.withShown(change(v.shown())), nil
	}
}

func extreme(sign int) func(Env, []argument) (value, error) {
	return func(_ Env, args []argument) (value, error) {
		best := args[0].value
		for _, a := range args[1:] {
			order, err := a.value.compare(best)
			if err != nil {
				return value{}, err
			}
			if order == sign {
				best = a.value
			}
		}
		return best, nil
	}
}

const (
	maxExponent   = 100
	powerDecimals = 40 // precision of a power, so that powers of powers stay small
)

func power(_ Env, args []argument) (value, error) {
	base, exponent := args[0].value, args[1].value.shown()
	if !base.isPlain() || !exponent.IsInt() || exponent.Sign() < 0 || exact.Int(maxExponent).Less(exponent) {
		return value{}, args[1].about("pow takes a plain number and a whole exponent from 0 to %d", maxExponent)
	}
	result := plain(exact.One)
	for range exponent.Int64() {
		var err error
		if result, err = result.times(base); err != nil {
			return value{}, err
		}
		result.number = result.number.Round(powerDecimals)
	}
	return result, nil
}

func seconds(_ Env, args []argument) (value, error) {
	if v := args[0].value; v.isTime() {
		return plain(v.number), nil
	}
	return value{}, args[0].about("seconds takes a duration, such as 90d or 24h")
}

var geoFunctions = []*Function{
	{Name: "geohash", Doc: "The geohash of a point.", params: []param{number("lat"), number("lon"), number("precision")},
		call: func(_ Env, args []argument) (value, error) {
			hash, err := encode(args[0].float(), args[1].float(), args[2].whole())
			return textual(hash), err
		}},
	{Name: "cells", Doc: "Number of geohash cells a circle touches: the queries of a search around a point.",
		params: circleParams, call: onCircle(cover)},
	{Name: "cells_span", Doc: "Number of geohash cells the rectangle around a circle has.",
		params: circleParams, call: onCircle(span)},
	{Name: "cell_width", Doc: "Width of a geohash cell at a latitude, in km.", params: []param{number("lat"), number("precision")},
		call: func(_ Env, args []argument) (value, error) {
			width, _, err := cellSize(args[0].float(), args[1].whole())
			return kilometres(width), err
		}},
	{Name: "cell_height", Doc: "Height of a geohash cell, in km.", params: []param{number("lat"), number("precision")},
		call: func(_ Env, args []argument) (value, error) {
			_, height, err := cellSize(args[0].float(), args[1].whole())
			return kilometres(height), err
		}},
}

var circleParams = []param{number("lat"), number("lon"), number("radius"), number("precision")}

func onCircle(count func(circle, int) (int64, error)) func(Env, []argument) (value, error) {
	return func(_ Env, args []argument) (value, error) {
		n, err := count(circle{args[0].float(), args[1].float(), args[2].float()}, args[3].whole())
		return plain(exact.Int(n)), err
	}
}

// kilometres returns a distance rounded to the micrometre.
func kilometres(km float64) value {
	n, err := exact.Parse(fmt.Sprintf("%.9f", km))
	if err != nil {
		return value{}
	}
	return plain(n)
}

func (a argument) float() float64 { return a.value.shown().Float64() }

// whole returns the argument as a small whole number, or -1, which every caller rejects.
func (a argument) whole() int {
	n := a.value.shown()
	if !n.IsInt() || n.Sign() < 0 || exact.Int(1_000_000).Less(n) {
		return -1
	}
	return int(n.Int64())
}

// oneOf returns an error if the word is none of the choices.
func (a argument) oneOf(choices ...string) error {
	if slices.Contains(choices, a.word) {
		return nil
	}
	return a.about("%q is not one of %s%s", a.word, strings.Join(choices, ", "), diag.DidYouMean(a.word, choices))
}

func (a argument) pattern(env Env) (*model.Pattern, error) {
	d := env.Layout.Design()
	if p := d.Pattern(a.word); p != nil {
		return p, nil
	}
	return nil, a.about("no pattern is called %s%s", a.word, diag.DidYouMean(a.word, namesOf(d.Patterns, func(p *model.Pattern) string { return p.Name })))
}

func (a argument) entity(env Env) (*model.Entity, error) {
	d := env.Layout.Design()
	if e := d.Entity(a.word); e != nil {
		return e, nil
	}
	return nil, a.about("no entity is called %s%s", a.word, diag.DidYouMean(a.word, namesOf(d.Entities, func(e *model.Entity) string { return e.Name })))
}

func namesOf[T any](list []T, name func(T) string) []string {
	names := make([]string, len(list))
	for i, item := range list {
		names[i] = name(item)
	}
	return names
}
