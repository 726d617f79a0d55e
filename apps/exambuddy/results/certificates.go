package results

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/refusal"
)

// code returns the code of the certificate of an attempt. It cannot be guessed, and is the same each
// time.
func (s *Service) code(attemptID string) string { return s.env.Box.Hash("certificate", attemptID)[:24] }

// ErrNoCertificate refuses a code that belongs to no certificate.
var ErrNoCertificate = refusal.New(refusal.NotFound, "CERTIFICATE_NOT_FOUND", "There is no such certificate.")

// Certifies reports whether there is a certificate for an attempt, or one can be issued.
func (s *Service) Certifies(ctx context.Context, attempt exambuddydb.Attempt) (bool, error) {
	if attempt.Mode != exambuddydb.AttemptModeExam || !attempt.Passed {
		return false, nil
	}
	project, err := s.bank.ByID(ctx, attempt.ProjectID)
	if err != nil && !errors.Is(err, exambuddy.ErrNoProject) || project.Rules.Certificates {
		return err == nil, err
	}
	// The exam was deleted, or gives none any more. One that was issued stays.
	_, err = s.env.DB.GetCertificate(ctx, s.code(attempt.AttemptID))
	if errors.Is(err, access.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Certificate returns the certificate of a passed exam of a candidate, and issues it the first
// time.
func (s *Service) Certificate(ctx context.Context, candidate exambuddy.Candidate, id string) (exambuddydb.Certificate, error) {
	attempt, err := s.Own(ctx, candidate, id)
	if err != nil {
		return exambuddydb.Certificate{}, err
	}
	if certifies, err := s.Certifies(ctx, attempt); err != nil {
		return exambuddydb.Certificate{}, err
	} else if !certifies {
		return exambuddydb.Certificate{}, refusal.New(refusal.Conflict, exambuddy.CodeState, "There is no certificate for this result: only for a passed exam, and only if the exam gives certificates.")
	}
	certificate, err := s.env.DB.IssueCertificate(ctx, exambuddydb.Certificate{
		Code: s.code(id), AttemptID: id, CandidateID: candidate.ID, CandidateName: attempt.CandidateName, ProjectID: attempt.ProjectID, ProjectTitle: attempt.ProjectTitle,
		ScoreTenths: attempt.ScoreTenths, PassedAt: attempt.CompletedAt, IssuedAt: s.env.Now(),
	})
	if errors.Is(err, access.ErrExists) {
		return s.env.DB.GetCertificate(ctx, s.code(id))
	}
	if err != nil {
		return exambuddydb.Certificate{}, fmt.Errorf("issue a certificate: %w", err)
	}
	return certificate, nil
}

// VerifyCertificate returns a certificate by its code, for anyone who has it.
func (s *Service) VerifyCertificate(ctx context.Context, code string) (exambuddydb.Certificate, error) {
	if len(code) != 24 {
		return exambuddydb.Certificate{}, ErrNoCertificate
	}
	certificate, err := s.env.DB.GetCertificate(ctx, code)
	return certificate, exambuddy.Missing(err, ErrNoCertificate)
}

// revoke revokes a certificate, if there is one that is valid.
func (s *Service) revoke(ctx context.Context, code, reason string) error {
	now := s.env.Now()
	_, err := s.env.DB.RevokeCertificate(ctx, exambuddydb.CertificateKey{Code: code}, exambuddydb.RevokeCertificateParams{RevokedAt: &now, RevokedReason: &reason})
	if errors.Is(err, access.ErrNotFound) || exambuddy.Changed[exambuddydb.Certificate](err) {
		return nil
	}
	return err
}
