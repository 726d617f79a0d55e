package showcase_test

import (
	"reflect"
	"slices"
	"testing"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	askahumandomain "sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/ecobid"
	ecobiddomain "sortkey.dev/apps/ecobid/domain"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/exambuddy"
	exambuddydomain "sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/homeops"
	homeopsdomain "sortkey.dev/apps/homeops/domain"
	"sortkey.dev/apps/homeops/homeopsdb"
)

// TestNoDomainReturnsItsDatabase: doors hold a Domain, so nothing that they can reach from it may be the database. In HomeOps
// it may not be what only the server knows either: balances and summaries with the score.
func TestNoDomainReturnsItsDatabase(t *testing.T) {
	for _, domain := range []struct {
		holder, shown reflect.Type // the search must reach the latter
		secret        []reflect.Type
	}{
		{typeOf[*askahumandomain.Domain](), typeOf[askahumandb.Question](), []reflect.Type{
			typeOf[*askahuman.Env](), typeOf[*askahumandb.DB](), typeOf[*askahumandb.Tx]()}},
		{typeOf[*ecobiddomain.Domain](), typeOf[ecobiddb.Item](), []reflect.Type{
			typeOf[*ecobid.Env](), typeOf[*ecobiddb.DB](), typeOf[*ecobiddb.Tx]()}},
		{typeOf[*exambuddydomain.Domain](), typeOf[exambuddydb.Project](), []reflect.Type{
			typeOf[*exambuddy.Env](), typeOf[*exambuddydb.DB](), typeOf[*exambuddydb.Tx]()}},
		{typeOf[*homeopsdomain.Domain](), typeOf[homeopsdb.Promise](), []reflect.Type{
			typeOf[*homeops.Env](), typeOf[*homeopsdb.DB](), typeOf[*homeopsdb.Tx](), typeOf[homeopsdb.Balance](), typeOf[homeopsdb.Summary]()}},
	} {
		if seen := reach(t, domain.holder, domain.secret); !seen[domain.shown] {
			t.Errorf("the search from %s did not reach %s", domain.holder, domain.shown)
		}
	}
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// reach returns the types that a caller with a value of a type can reach through exported fields and results of methods. It
// fails the test for secret ones.
func reach(t *testing.T, holder reflect.Type, secret []reflect.Type) map[reflect.Type]bool {
	t.Helper()
	seen := make(map[reflect.Type]bool)
	var visit func(v reflect.Type, path string)
	visit = func(v reflect.Type, path string) {
		if seen[v] {
			return
		}
		seen[v] = true
		if slices.Contains(secret, v) {
			t.Errorf("%s is %s", path, v)
			return
		}
		for method := range v.Methods() {
			for result := range method.Type.Outs() {
				visit(result, path+"."+method.Name+"()")
			}
		}
		if v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
			visit(v.Elem(), path)
		}
		if v.Kind() != reflect.Struct {
			return
		}
		for field := range v.Fields() {
			if field.IsExported() {
				visit(field.Type, path+"."+field.Name)
			}
		}
	}
	visit(holder, holder.String())
	return seen
}
