package staff

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

var (
	errNoOperator = refusal.New(refusal.NotFound, "", "There is no operator of this name.")
	errTaken      = refusal.OfField(refusal.Field{Name: "name", Constraint: "unique"}, "There is an operator of this name.")
	errChanged    = refusal.New(refusal.Conflict, "", "Another operator has changed this meanwhile. Look again.")
	errOwn        = refusal.New(refusal.Conflict, "", "You cannot disable yourself. Another operator can.")
	errSetting    = refusal.New(refusal.Conflict, "", "The first operator's secret is a setting. Change it and start the system again.")
)

// get returns an operator.
func (s *Staff) get(ctx context.Context, id string) (Operator, error) {
	if id == "" {
		return Operator{}, errNoOperator
	}
	stored, err := s.p.DB.GetOperator(ctx, id)
	switch {
	case errors.Is(err, access.ErrNotFound) && id == First:
		return s.firstOperator(nil), nil
	case errors.Is(err, access.ErrNotFound):
		return Operator{}, errNoOperator
	case err != nil:
		return Operator{}, fmt.Errorf("read an operator: %w", err)
	}
	return s.view(stored), nil
}

// List returns the operators, the first one first and the others by name.
func (s *Staff) List(ctx context.Context) ([]Operator, error) {
	all := []Operator{s.firstOperator(nil)}
	for stored, err := range s.p.DB.ListOperators().Limit(0).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the operators: %w", err)
		}
		if stored.OperatorID == First {
			all[0] = s.firstOperator(&stored)
			continue
		}
		all = append(all, s.view(stored))
	}
	slices.SortStableFunc(all[1:], func(a, b Operator) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// newSecret returns a random secret of 130 bits.
func newSecret() string { return strings.ToLower(rand.Text()) }

// Add adds an operator and returns their secret, which cannot be read again.
func (s *Staff) Add(ctx context.Context, by, name string) (operator Operator, secret string, err error) {
	if name, err = checkName(name); err != nil {
		return Operator{}, "", err
	}
	id := ID(name)
	if id == First {
		return Operator{}, "", errTaken
	}
	secret = newSecret()
	now := s.p.Now()
	stored := platformdb.Operator{
		OperatorID: id, Name: name, SecretHash: s.hash(id, secret), CreatedAt: now, UpdatedAt: now,
	}
	err = s.change(ctx, audit.Event{Actor: by, Action: "add operator", Target: name}, func(tx *platformdb.Tx) { tx.AddOperator(stored) })
	if err != nil {
		return Operator{}, "", err
	}
	stored.Standing = platformdb.OperatorStandingActive
	return s.view(stored), secret, nil
}

// Renew gives an operator another secret and returns it. Sessions with the old one are over.
func (s *Staff) Renew(ctx context.Context, by, id string) (operator Operator, secret string, err error) {
	if id == First {
		return Operator{}, "", errSetting
	}
	if operator, err = s.get(ctx, id); err != nil {
		return Operator{}, "", err
	}
	secret = newSecret()
	err = s.change(ctx, audit.Event{Actor: by, Action: "renew secret of operator", Target: operator.Name}, func(tx *platformdb.Tx) {
		tx.RenewOperator(platformdb.OperatorKey{OperatorID: id}, platformdb.RenewOperatorParams{SecretHash: s.hash(id, secret), UpdatedAt: s.p.Now()})
	})
	return operator, secret, err
}

// Disable refuses an operator and ends their sessions. Operators cannot disable themselves, so
// that one is left.
func (s *Staff) Disable(ctx context.Context, by Operator, id string) error {
	if by.ID == id {
		return errOwn
	}
	operator, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	if operator.First {
		if err := s.keepFirst(ctx); err != nil {
			return err
		}
	}
	return s.change(ctx, audit.Event{Actor: by.Name, Action: "disable operator", Target: operator.Name}, func(tx *platformdb.Tx) {
		tx.DisableOperator(platformdb.OperatorKey{OperatorID: id}, platformdb.DisableOperatorParams{UpdatedAt: s.p.Now()})
	})
}

// keepFirst makes sure that the first operator has a record with the current secret, which can be
// disabled.
func (s *Staff) keepFirst(ctx context.Context) error {
	now := s.p.Now()
	stored, err := s.p.DB.GetOperator(ctx, First)
	switch {
	case errors.Is(err, access.ErrNotFound):
		_, err = s.p.DB.AddOperator(ctx, platformdb.Operator{OperatorID: First, Name: First, SecretHash: s.first, CreatedAt: now, UpdatedAt: now})
		if errors.Is(err, access.ErrExists) {
			err = nil // by another operator
		}
	case err == nil && !same(stored.SecretHash, s.first):
		// The record is of an earlier secret.
		if stored, err = s.p.DB.RenewOperator(ctx, stored.Key(), platformdb.RenewOperatorParams{SecretHash: s.first, UpdatedAt: now}); err == nil && stored.Standing == platformdb.OperatorStandingDisabled {
			_, err = s.p.DB.EnableOperator(ctx, stored.Key(), platformdb.EnableOperatorParams{UpdatedAt: now})
		}
	}
	if err != nil {
		return fmt.Errorf("write the first operator: %w", err)
	}
	return nil
}

// Enable lets an operator sign in again.
func (s *Staff) Enable(ctx context.Context, by, id string) error {
	operator, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	return s.change(ctx, audit.Event{Actor: by, Action: "enable operator", Target: operator.Name}, func(tx *platformdb.Tx) {
		tx.EnableOperator(platformdb.OperatorKey{OperatorID: id}, platformdb.EnableOperatorParams{UpdatedAt: s.p.Now()})
	})
}

// change writes a change together with its audit event.
func (s *Staff) change(ctx context.Context, event audit.Event, write func(*platformdb.Tx)) error {
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		tx := s.p.DB.Tx()
		write(tx)
		s.trail.Record(tx, event)
		return false, tx.Commit(ctx)
	})
	switch {
	case errors.Is(err, access.ErrExists):
		return errTaken
	case errors.Is(err, access.ErrNotFound):
		return errNoOperator
	case access.Refused(err):
		return errChanged
	case err != nil:
		return fmt.Errorf("%s: %w", event.Action, err)
	}
	return nil
}
