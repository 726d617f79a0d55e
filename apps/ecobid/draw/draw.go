// Package draw is the lottery of EcoBid. Before a lottery opens, the hash of a secret is
// published; when it closes, the secret and the entrants are published, and every reader can
// repeat the draw. Neither the giver nor the operator can choose a winner: the secret was fixed
// before the entrants were known, and each entrant changes the result.
//
// The package stores nothing and makes no secrets. Package giving calls it, and pages that let
// people verify a draw.
package draw

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"
)

// Commitment returns the hash of a secret that is published before a draw, in hexadecimal.
func Commitment(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Order returns the entrants in the order in which they win: the first is the winner, the second
// wins the draw without the first, and so on. The order of the argument does not matter, and
// repeated entrants count once.
func Order(secret, item string, entrants []string) []string {
	left := slices.Sorted(slices.Values(entrants))
	left = slices.Compact(left)
	order := make([]string, 0, len(left))
	for len(left) > 0 {
		i := pick(secret, item, left)
		order = append(order, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return order
}

// Winner returns the winner of a draw; "" without entrants.
func Winner(secret, item string, entrants []string) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(entrants)))
	if len(sorted) == 0 {
		return ""
	}
	return sorted[pick(secret, item, sorted)]
}

// Verify reports whether a published draw is right: the secret has the commitment, and the
// winner is the one that the secret gives.
func Verify(commitment, secret, item string, entrants []string, winner string) bool {
	return Commitment(secret) == commitment && winner != "" && Winner(secret, item, entrants) == winner
}

// pick returns the index of the winner among sorted entrants. Numbers from which a remainder
// would favour the first entrants are rejected.
func pick(secret, item string, sorted []string) int {
	digest := sum(secret, []byte(item+"\n"+strings.Join(sorted, "\n")))
	n := uint64(len(sorted))
	excess := (math.MaxUint64%n + 1) % n
	for {
		for rest := digest; len(rest) > 0; rest = rest[8:] {
			if x := binary.BigEndian.Uint64(rest); x <= math.MaxUint64-excess {
				return int(x % n)
			}
		}
		digest = sum(secret, digest)
	}
}

func sum(secret string, message []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(message)
	return mac.Sum(nil)
}
