package oracle

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

// Shrink shrinks a failing sequence: it leaves out parts, then
// single steps, then parts of steps, as long as the rest still fails in the same
// way. Each attempt needs a fresh database; no attempt starts after the time limit.
func Shrink(steps []Step, within time.Duration, play func([]Step) *Problem) ([]Step, *Problem) {
	s := &shrinker{play: play, until: time.Now().Add(within)}
	if s.problem = play(steps); s.problem == nil {
		return steps, nil
	}
	s.steps = steps[:s.problem.Step+1]
	for before := ""; before != Literal(s.steps); {
		before = Literal(s.steps)
		s.dropSteps()
		s.simplifySteps()
	}
	return s.steps, s.problem
}

type shrinker struct {
	play    func([]Step) *Problem
	steps   []Step
	problem *Problem
	until   time.Time
}

// try keeps a smaller sequence if it fails like the current one.
func (s *shrinker) try(steps []Step) bool {
	if time.Now().After(s.until) {
		return false
	}
	wrong := s.play(steps)
	if wrong == nil || wrong.Kind != s.problem.Kind {
		return false
	}
	s.steps, s.problem = steps[:wrong.Step+1], wrong
	return true
}

// dropSteps removes runs of steps, long ones first.
func (s *shrinker) dropSteps() {
	for size := len(s.steps) / 2; size > 0; size /= 2 {
		for at := 0; at < len(s.steps); {
			rest := slices.Concat(s.steps[:at], s.steps[min(at+size, len(s.steps)):])
			if !s.try(rest) {
				at += size
			}
		}
	}
}

// simplifySteps removes parts of each step.
func (s *shrinker) simplifySteps() {
	for i := 0; i < len(s.steps); i++ {
		for again := true; again && i < len(s.steps); {
			again = false
			for _, simpler := range simplifications(reflect.ValueOf(s.steps[i])) {
				rest := slices.Clone(s.steps)
				rest[i] = simpler.Interface().(Step)
				if again = s.try(rest); again {
					break
				}
			}
		}
	}
}

// simplifications returns copies of a value without one part each: an optional part,
// an element of a list that has more, a member of a map, or a nested part.
func simplifications(v reflect.Value) []reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		return simplifications(v.Elem())
	case reflect.Struct:
		return structSimplifications(v)
	case reflect.Slice:
		return sliceSimplifications(v)
	case reflect.Map:
		return mapSimplifications(v)
	}
	return nil
}

func structSimplifications(v reflect.Value) (all []reflect.Value) {
	for i := range v.NumField() {
		parts := fieldSimplifications(v.Field(i))
		switch name := v.Type().Field(i).Name; {
		case name == "Older": // such a step may have no other form
			continue
		case (name == "Spoil" || name == "Token") && !v.Field(i).IsZero():
			parts = []reflect.Value{reflect.ValueOf("")}
		}
		for _, part := range parts {
			smaller := reflect.New(v.Type()).Elem()
			smaller.Set(v)
			smaller.Field(i).Set(part)
			all = append(all, smaller)
		}
	}
	return all
}

// fieldSimplifications returns the simplifications of a field. Some fields can also be left empty.
func fieldSimplifications(v reflect.Value) (all []reflect.Value) {
	if v.IsZero() || v.Type() == reflect.TypeFor[string]() {
		return nil // names identify the subject of a step
	}
	switch of := v.Interface().(type) {
	case *Condition:
		all = append(all, reflect.ValueOf((*Condition)(nil)))
		for i := range of.Of {
			all = append(all, reflect.ValueOf(&of.Of[i]))
		}
		return all
	case *Query, *Scan: // one of which is needed
		for _, part := range simplifications(v.Elem()) {
			smaller := reflect.New(part.Type())
			smaller.Elem().Set(part)
			all = append(all, smaller)
		}
		return all
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Bool, reflect.String, reflect.Int32:
		return []reflect.Value{reflect.Zero(v.Type())}
	}
	return simplifications(v)
}

func sliceSimplifications(v reflect.Value) (all []reflect.Value) {
	steps := v.Type() == reflect.TypeFor[[]Step]()
	if v.Type() == reflect.TypeFor[[]Operand]() || v.Type() == reflect.TypeFor[[]Term]() || v.Type().Elem().Kind() == reflect.Interface && !steps {
		return nil // an operation needs all of its operands, and a path all of its elements
	}
	for i := range v.Len() {
		if v.Len() > 1 || steps {
			smaller := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v.Slice(0, i))
			all = append(all, reflect.AppendSlice(smaller, v.Slice(i+1, v.Len())))
		}
		for _, part := range simplifications(v.Index(i)) {
			smaller := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v)
			smaller.Index(i).Set(part)
			all = append(all, smaller)
		}
	}
	return all
}

func mapSimplifications(v reflect.Value) (all []reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, left := range keys {
		smaller := reflect.MakeMap(v.Type())
		for _, k := range keys {
			if k.String() != left.String() {
				smaller.SetMapIndex(k, v.MapIndex(k))
			}
		}
		all = append(all, smaller)
	}
	return all
}
