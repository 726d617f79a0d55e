package call_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
)

var (
	firstKey  = bytes.Repeat([]byte{1}, 32)
	secondKey = bytes.Repeat([]byte{2}, 16)
)

func sealerOf(t testing.TB, key []byte, old ...[]byte) access.Sealer {
	t.Helper()
	s, err := access.NewSealer(key, old...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sealingClient(t testing.TB, key []byte, old ...[]byte) *access.Client {
	t.Helper()
	return access.NewClient(nil, access.Design{}, access.WithSealer(sealerOf(t, key, old...)))
}

func TestSealedValuesOpen(t *testing.T) {
	c := sealingClient(t, firstKey)
	for _, plain := range []string{"", "a", "alice@example.com"} {
		v, err := marshal.Seal(c, "User", "email", []byte(plain))
		if err != nil {
			t.Fatal(err)
		}
		again, _ := marshal.Seal(c, "User", "email", []byte(plain))
		if !bytes.Equal(v.(*types.AttributeValueMemberB).Value, again.(*types.AttributeValueMemberB).Value) {
			t.Error("one text sealed twice differs, so a transaction cannot be repeated")
		}
		if got, err := marshal.Open(c, "User", "email", v); err != nil || string(got) != plain {
			t.Errorf("opened %q, %v, want %q", got, err, plain)
		}
	}
}

// Values that were sealed with a nonce made by chance are in tables, and open.
func TestValuesWithAnyNonceOpen(t *testing.T) {
	sealed, err := hex.DecodeString("5655fc06747e82375677329f630c43b24ac584435e7928fbba10b6af7d52daa62ea69f17b1a8e91787bf5167bd5a8540b8")
	if err != nil {
		t.Fatal(err)
	}
	s := sealerOf(t, firstKey)
	if got, err := s.Open(sealed, "User.email"); err != nil || string(got) != "alice@example.com" {
		t.Errorf("opened %q, %v", got, err)
	}
	fresh, err := s.Seal([]byte("alice@example.com"), "User.email")
	if err != nil || len(fresh) != len(sealed) || bytes.Equal(fresh, sealed) {
		t.Errorf("sealed as %x, %v", fresh, err)
	}
}

// A nonce must not come twice under one key but for the same value of the same attribute.
func TestOtherValuesHaveOtherNonces(t *testing.T) {
	seen := map[string]string{}
	for _, key := range [][]byte{firstKey, secondKey} {
		for _, of := range [][2]string{{"User.email", "x"}, {"User.email", "y"}, {"User.email", ""}, {"User.emailx", ""}, {"User.phone", "x"}, {"", "User.emailx"}} {
			sealed, err := sealerOf(t, key).Seal([]byte(of[1]), of[0])
			if err != nil {
				t.Fatal(err)
			}
			nonce, name := string(sealed[4:16]), fmt.Sprint(key[0], of)
			if other, taken := seen[nonce]; taken {
				t.Errorf("%s and %s have one nonce", name, other)
			}
			seen[nonce] = name
		}
	}
}

// A transaction that holds a sealed value can be repeated with its token.
func TestATransactionWithSealedValuesHappensOnce(t *testing.T) {
	s := newShop(t, access.WithSealer(sealerOf(t, firstKey)))
	for range 2 { // each time made anew, as by a caller that saw no answer
		w := create(product{ID: "1", Name: "lamp"})
		secret, err := marshal.Seal(s.c, "Product", "supplier", []byte("somebody"))
		if err != nil {
			t.Fatal(err)
		}
		w.Item["supplier"] = secret
		if err := call.Transact(t.Context(), s.c, registerByName, []call.Action{w, guard("lamp")}, access.Token("order-1")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSealedValuesBelongToTheirAttribute(t *testing.T) {
	c := sealingClient(t, firstKey)
	v, err := marshal.Seal(c, "User", "email", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range [][2]string{{"User", "phone"}, {"Admin", "email"}} {
		var wrong *access.DecodeError
		if got, err := marshal.Open(c, where[0], where[1], v); !errors.As(err, &wrong) || wrong.Attribute != where[1] {
			t.Errorf("copied to %v it opens: %q, %v", where, got, err)
		}
	}
}

// A sealed value belongs to its attribute and not to its item, as the comment of Sealer
// says: filters compare sealed values of all items, and reads of a part of an item have no
// key to open a value with.
func TestSealedValuesDoNotBelongToTheirItem(t *testing.T) {
	c := sealingClient(t, firstKey)
	e := marshal.Encode("User")
	ann := access.Item{"PK": marshal.S("USER#ann"), "email": e.Seal(c, "email", []byte("ann@example.com"))}
	bob := access.Item{"PK": marshal.S("USER#bob"), "email": ann["email"]}
	part := access.Item{"email": ann["email"]}
	for name, item := range map[string]access.Item{"its own item": ann, "another item": bob, "a part without a key": part} {
		d := marshal.Decode("User", item)
		if got := marshal.DecodeSealed(&d, c, "User", "email", marshal.ParseText[string]); got != "ann@example.com" || d.Err() != nil {
			t.Errorf("in %s: %q, %v", name, got, d.Err())
		}
	}
	if equal := e.Seal(c, "email", []byte("ann@example.com")); e.Err() != nil || !reflect.DeepEqual(equal, ann["email"]) {
		t.Errorf("a filter for the value finds nothing: %v, %v", equal, e.Err())
	}
}

func TestKeysCanBeChanged(t *testing.T) {
	old := sealerOf(t, firstKey)
	changed := sealerOf(t, secondKey, firstKey)
	sealed, err := old.Seal([]byte("x"), "User.email")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := changed.Open(sealed, "User.email"); err != nil || string(got) != "x" {
		t.Errorf("under an old key: %q, %v", got, err)
	}
	fresh, err := changed.Seal([]byte("x"), "User.email")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := old.Open(fresh, "User.email"); err == nil {
		t.Errorf("the old key opens what the new one sealed: %q", got)
	}
	if got, err := sealerOf(t, secondKey).Open(fresh, "User.email"); err != nil || string(got) != "x" {
		t.Errorf("the new key alone: %q, %v", got, err)
	}
}

func TestKeysOfOtherLengthsAreRefused(t *testing.T) {
	for _, keys := range [][][]byte{{nil}, {firstKey[:31]}, {firstKey, nil}, {firstKey, secondKey, {1}}} {
		if _, err := access.NewSealer(keys[0], keys[1:]...); err == nil {
			t.Errorf("keys %v make a sealer", keys)
		}
	}
}

func TestWithoutASealerNothingIsSealed(t *testing.T) {
	c := access.NewClient(nil, access.Design{})
	if v, err := marshal.Seal(c, "User", "email", nil); !errors.Is(err, access.ErrSealed) || v != nil {
		t.Errorf("sealed %v, %v", v, err)
	}
	if _, err := marshal.Open(c, "User", "email", marshal.B(nil)); !errors.Is(err, access.ErrSealed) {
		t.Error(err)
	}
	e := marshal.Encode("User")
	if v := e.Seal(c, "email", nil); v != nil || !errors.Is(e.Err(), access.ErrSealed) {
		t.Error(v, e.Err())
	}
	d := marshal.Decode("User", access.Item{"email": marshal.B(nil)})
	if _, ok := d.Sealed(c, "User", "email"); ok || !errors.Is(d.Err(), access.ErrSealed) {
		t.Error(d.Err())
	}
}

func TestDecoderOpensSealedValues(t *testing.T) {
	c := sealingClient(t, firstKey)
	e := marshal.Encode("User")
	born := time.Date(1990, 1, 2, 0, 0, 0, 0, time.UTC)
	item := access.Item{
		"email": e.Seal(c, "email", []byte("a@b")), "born": e.Seal(c, "born", []byte(marshal.FormatTime(born))),
		"photo": e.Seal(c, "photo", nil), "plain": marshal.S("x"), "bad": e.Seal(c, "bad", []byte("x")),
	}
	if e.Err() != nil {
		t.Fatal(e.Err())
	}
	d := marshal.Decode("UserRow", item)
	email := marshal.DecodeSealed(&d, c, "User", "email", marshal.ParseText[string])
	at := marshal.OptSealed(&d, c, "User", "born", marshal.ParseTime)
	photo, ok := d.Sealed(c, "User", "photo")
	if email != "a@b" || at == nil || *at != born || !ok || photo == nil || len(photo) != 0 || d.Err() != nil {
		t.Errorf("opened %q, %v, %v: %v", email, at, photo, d.Err())
	}
	if none := marshal.OptSealed(&d, c, "User", "nick", marshal.ParseText[string]); none != nil || d.Err() != nil {
		t.Errorf("a missing value opens as %v, %v", none, d.Err())
	}
	for name, want := range map[string]string{
		"plain": "access: plain of a stored User cannot be read: it holds S, not B",
		"bad":   "access: bad of a stored UserRow cannot be read: it is neither true nor false",
	} {
		d := marshal.Decode("UserRow", item)
		if marshal.DecodeSealed(&d, c, "User", name, marshal.ParseBool); d.Err() == nil || d.Err().Error() != want {
			t.Errorf("got %v, want %s", d.Err(), want)
		}
	}
}

type brokenSealer struct{ err error }

func (s brokenSealer) Seal([]byte, string) ([]byte, error) { return nil, s.err }
func (s brokenSealer) Open([]byte, string) ([]byte, error) { return nil, s.err }

func TestSealerErrorsAreReturned(t *testing.T) {
	unreachable := errors.New("the key service is unreachable")
	c := access.NewClient(nil, access.Design{}, access.WithSealer(brokenSealer{unreachable}))
	if _, err := marshal.Seal(c, "User", "email", nil); !errors.Is(err, unreachable) {
		t.Error(err)
	}
	if _, err := marshal.Open(c, "User", "email", marshal.B(nil)); !errors.Is(err, unreachable) {
		t.Error(err)
	}
}

// A sealed value with any byte changed, cut off or added does not open.
func FuzzSealed(f *testing.F) {
	f.Add([]byte("alice@example.com"), byte(1))
	f.Add([]byte{}, byte(0x80))
	f.Fuzz(func(t *testing.T, plain []byte, change byte) {
		plain = plain[:min(len(plain), 200)] // every byte of it is damaged below
		s := sealerOf(t, firstKey, secondKey)
		sealed, err := s.Seal(plain, "User.email")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Open(sealed, "User.email"); err != nil || !bytes.Equal(got, plain) {
			t.Fatalf("opened %q, %v", got, err)
		}
		for i := range sealed {
			if change != 0 {
				damaged := bytes.Clone(sealed)
				damaged[i] ^= change
				if got, err := s.Open(damaged, "User.email"); err == nil {
					t.Fatalf("damaged at %d it opens as %q", i, got)
				}
			}
			if got, err := s.Open(sealed[:i], "User.email"); err == nil {
				t.Fatalf("cut off at %d it opens as %q", i, got)
			}
		}
		if got, err := s.Open(append(bytes.Clone(sealed), change), "User.email"); err == nil {
			t.Fatalf("with a byte more it opens as %q", got)
		}
	})
}
