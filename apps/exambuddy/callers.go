package exambuddy

import "sortkey.dev/apps/internal/refusal"

// A Role says what a caller may do. Roles are exclusive.
type Role string

// The roles, as the design document stores them.
const (
	RoleAdmin     Role = "ADMIN"
	RoleCandidate Role = "CANDIDATE"
	RoleOperator  Role = "OPERATOR"
)

// A Caller is a signed-in person.
type Caller struct {
	ID    string // of the account and of the profile
	Name  string
	Email string
	Role  Role
}

// An Admin builds exams. A function that takes one is not for candidates.
type Admin struct {
	ID    string
	Name  string
	Email string
}

// A Candidate sits exams.
type Candidate struct {
	ID    string
	Name  string
	Email string
}

// An Operator runs the system.
type Operator struct {
	ID   string
	Name string
}

// Admin returns the caller as an admin, or refuses.
func (c Caller) Admin() (Admin, error) {
	if c.Role != RoleAdmin {
		return Admin{}, refusal.New(refusal.Forbidden, CodeRole, "Only admins can do this.")
	}
	return Admin{ID: c.ID, Name: c.Name, Email: c.Email}, nil
}

// Candidate returns the caller as a candidate, or refuses.
func (c Caller) Candidate() (Candidate, error) {
	if c.Role != RoleCandidate {
		return Candidate{}, refusal.New(refusal.Forbidden, CodeRole, "Only candidates can do this.")
	}
	return Candidate{ID: c.ID, Name: c.Name, Email: c.Email}, nil
}

// Operator returns the caller as an operator, or refuses.
func (c Caller) Operator() (Operator, error) {
	if c.Role != RoleOperator {
		return Operator{}, refusal.New(refusal.Forbidden, CodeRole, "Only operators can do this.")
	}
	return Operator{ID: c.ID, Name: c.Name}, nil
}
