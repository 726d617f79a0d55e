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

// Certificate returns the certificate of a passed exam of a candidate, and issues it the first
// time.
func (s *Service) Certificate(ctx context.Context, candidate exambuddy.Candidate, id string) (exambuddydb.Certificate, error) {
	attempt, err := s.Own(ctx, candidate, id)
	if err != nil {
		return exambuddydb.Certificate{}, err
	}
	project, err := s.bank.ByID(ctx, attempt.ProjectID)
	if err != nil {
		return exambuddydb.Certificate{}, err
	}
	if !project.Rules.Certificates || attempt.Mode != exambuddydb.AttemptModeExam || !attempt.Passed {
		return exambuddydb.Certificate{}, refusal.New(refusal.Conflict, exambuddy.CodeState, "There is a certificate for a passed exam only.")
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
