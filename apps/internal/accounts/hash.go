package accounts

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Argon holds the parameters of argon2id. A password that was hashed with others is hashed again at
// the next sign-in. The zero value is 19 MiB and two passes.
type Argon struct {
	Passes    uint32
	MemoryKiB uint32
	Threads   uint8
}

// Cheap is as little work as possible. It is for tests.
var Cheap = Argon{Passes: 1, MemoryKiB: 64, Threads: 1}

const (
	saltLength = 16
	hashLength = 32
)

// A hasher hashes passwords. It limits how many are hashed at once, because each takes memory.
type hasher struct {
	argon Argon
	slots chan struct{}
	dummy string // the hash of a password that no account has
}

func newHasher(argon Argon) (*hasher, error) {
	if argon == (Argon{}) {
		argon = Argon{Passes: 2, MemoryKiB: 19 * 1024, Threads: 1}
	}
	if argon.Passes == 0 || argon.Threads == 0 || argon.MemoryKiB < 8*uint32(argon.Threads) {
		return nil, errors.New("accounts: argon2id needs a pass, a thread and 8 KiB for each thread")
	}
	h := &hasher{argon: argon, slots: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	var err error
	h.dummy, err = h.hash(context.Background(), rand.Text())
	return h, err
}

// hash returns a hash with its parameters and salt, in the PHC string format.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // never fails; crypto/rand ends the program instead
	sum, err := h.sum(ctx, password, salt, h.argon)
	if err != nil {
		return "", err
	}
	return h.prefix() + base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(sum), nil
}

// prefix returns the beginning of hashes with the current parameters.
func (h *hasher) prefix() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, h.argon.MemoryKiB, h.argon.Passes, h.argon.Threads)
}

// outdated reports whether a hash was made with other parameters.
func (h *hasher) outdated(stored string) bool { return !strings.HasPrefix(stored, h.prefix()) }

func (h *hasher) sum(ctx context.Context, password string, salt []byte, argon Argon) ([]byte, error) {
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, fmt.Errorf("hash a password: %w", ctx.Err())
	}
	return argon2.IDKey([]byte(password), salt, argon.Passes, argon.MemoryKiB, argon.Threads, hashLength), nil
}

// matches reports whether a password is the one of a hash. An empty hash, of an unknown name, matches
// nothing and takes as much work as another.
func (h *hasher) matches(ctx context.Context, stored, password string) (bool, error) {
	known := stored != ""
	if !known {
		stored = h.dummy
	}
	argon, salt, want, err := parseHash(stored)
	if err != nil {
		return false, err
	}
	if len(password) > 4*MaxPassword {
		password, known = "", false // none is so long; hashing megabytes would be work for nothing
	}
	sum, err := h.sum(ctx, password, salt, argon)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(sum, want) == 1 && known, nil
}

func parseHash(stored string) (argon Argon, salt, sum []byte, err error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return argon, nil, nil, errors.New("accounts: a stored password is not an argon2id hash")
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &argon.MemoryKiB, &argon.Passes, &argon.Threads); err != nil {
		return argon, nil, nil, fmt.Errorf("accounts: the parameters of a stored password: %w", err)
	}
	if argon.Passes == 0 || argon.Threads == 0 {
		return argon, nil, nil, errors.New("accounts: the parameters of a stored password are zero")
	}
	salt, err = base64.RawStdEncoding.DecodeString(parts[4])
	if err == nil {
		sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	}
	if err != nil {
		return argon, nil, nil, fmt.Errorf("accounts: a stored password: %w", err)
	}
	return argon, salt, sum, nil
}
