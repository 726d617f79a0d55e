package client

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
)

// Me returns who is signed in.
func (c *Client) Me(ctx context.Context) (User, error) { return get[User](ctx, c, "/v1/users/me") }

// CreateProject creates an exam as a draft.
func (c *Client) CreateProject(ctx context.Context, in NewProject) (Project, error) {
	return post[Project](ctx, c, "/v1/admin/projects", in)
}

// Projects returns a page of the caller's exams, newest first.
func (c *Client) Projects(ctx context.Context, cursor string) (List[Project], error) {
	return get[List[Project]](ctx, c, "/v1/admin/projects"+page(cursor))
}

// Project returns an exam of the caller.
func (c *Client) Project(ctx context.Context, id string) (Project, error) {
	return get[Project](ctx, c, path("admin/projects", id, ""))
}

// EditProject changes the settings of an exam, if its version is the one of the change.
func (c *Client) EditProject(ctx context.Context, id string, in NewProject) (Project, error) {
	return put[Project](ctx, c, path("admin/projects", id, ""), in)
}

// Publish shows an exam to candidates.
func (c *Client) Publish(ctx context.Context, id string) (Project, error) {
	return post[Project](ctx, c, path("admin/projects", id, "/publish"), nil)
}

// Unpublish makes an exam a draft.
func (c *Client) Unpublish(ctx context.Context, id string) (Project, error) {
	return post[Project](ctx, c, path("admin/projects", id, "/unpublish"), nil)
}

// Archive hides an exam.
func (c *Client) Archive(ctx context.Context, id string) (Project, error) {
	return post[Project](ctx, c, path("admin/projects", id, "/archive"), nil)
}

// Restore makes an archived exam a draft.
func (c *Client) Restore(ctx context.Context, id string) (Project, error) {
	return post[Project](ctx, c, path("admin/projects", id, "/restore"), nil)
}

// DeleteProject deletes an exam that was archived ten minutes ago or earlier.
func (c *Client) DeleteProject(ctx context.Context, id string) error {
	return c.session.Send(ctx, request{Method: http.MethodDelete, Path: path("admin/projects", id, "")})
}

// AddQuestion adds a question to an exam.
func (c *Client) AddQuestion(ctx context.Context, project string, in NewQuestion) (Item, error) {
	return post[Item](ctx, c, path("admin/projects", project, "/questions"), in)
}

// Questions returns a page of the questions of an exam with their keys.
func (c *Client) Questions(ctx context.Context, project, cursor string) (List[Item], error) {
	return get[List[Item]](ctx, c, path("admin/projects", project, "/questions"+page(cursor)))
}

// Question returns a question with its key.
func (c *Client) Question(ctx context.Context, id string) (Item, error) {
	return get[Item](ctx, c, path("admin/questions", id, ""))
}

// ChangeQuestion replaces a question, if its version is the one of the change. The error is
// ErrChanged otherwise.
func (c *Client) ChangeQuestion(ctx context.Context, id string, in NewQuestion) (Item, error) {
	return put[Item](ctx, c, path("admin/questions", id, ""), in)
}

// RemoveQuestion deletes a question. Attempts keep their own copy.
func (c *Client) RemoveQuestion(ctx context.Context, id string) error {
	return c.session.Send(ctx, request{Method: http.MethodDelete, Path: path("admin/questions", id, "")})
}

// UploadImage uploads a PNG, JPEG, GIF or WebP of at most 5 MB, and returns its name.
func (c *Client) UploadImage(ctx context.Context, picture []byte) (string, error) {
	var stored struct {
		File string `json:"file"`
	}
	err := c.session.Send(ctx, request{Method: http.MethodPost, Path: "/v1/admin/images", Body: picture, Media: "application/octet-stream", Out: &stored})
	return stored.File, err
}

// Import uploads a file with questions: PDF, DOCX, CSV, JSON, GIFT, Aiken or QTI.
func (c *Client) Import(ctx context.Context, project, name string, content []byte) (Document, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		return Document{}, fmt.Errorf("exambuddy: write the form: %w", err)
	}
	var out Document
	err = c.session.Send(ctx, request{Method: http.MethodPost, Path: path("admin/projects", project, "/documents"), Body: body.Bytes(), Media: form.FormDataContentType(), Out: &out})
	return out, err
}

// Document returns the state of an uploaded file.
func (c *Client) Document(ctx context.Context, project, id string) (Document, error) {
	return get[Document](ctx, c, path("admin/projects", project, path2("/documents", id, "")))
}

// Drafts returns a page of the questions that were found in a file.
func (c *Client) Drafts(ctx context.Context, project, document, cursor string) (List[Draft], error) {
	return get[List[Draft]](ctx, c, path("admin/projects", project, path2("/documents", document, "/drafts"+page(cursor))))
}

// EditDraft changes a found question, or what happens to it.
func (c *Client) EditDraft(ctx context.Context, project, document string, position int, in DraftChange) (Draft, error) {
	return put[Draft](ctx, c, path("admin/projects", project, path2("/documents", document, fmt.Sprintf("/drafts/%d", position))), in)
}

// DeleteDocument deletes an uploaded file and what was found in it. Imported questions stay.
func (c *Client) DeleteDocument(ctx context.Context, project, id string) error {
	return c.session.Send(ctx, request{Method: http.MethodDelete, Path: path("admin/projects", project, path2("/documents", id, ""))})
}

// PublishImport imports the chosen questions of a file.
func (c *Client) PublishImport(ctx context.Context, project, document string) (Document, error) {
	return post[Document](ctx, c, path("admin/projects", project, path2("/documents", document, "/publish")), nil)
}

func path2(subject, id, more string) string { return subject + "/" + url.PathEscape(id) + more }

// Export returns all questions of an exam as a file: json, csv, gift, aiken or qti.
func (c *Client) Export(ctx context.Context, project, format string) ([]byte, error) {
	return get[[]byte](ctx, c, path("admin/projects", project, path2("/export", format, "")))
}

// CreateGroup creates a group.
func (c *Client) CreateGroup(ctx context.Context, name string) (Group, error) {
	return post[Group](ctx, c, "/v1/admin/groups", map[string]string{"name": name})
}

// Groups returns the caller's groups, newest first.
func (c *Client) Groups(ctx context.Context) (List[Group], error) {
	return get[List[Group]](ctx, c, "/v1/admin/groups")
}

// AddMember adds a candidate to a group.
func (c *Client) AddMember(ctx context.Context, group, email string) (Member, error) {
	return post[Member](ctx, c, path("admin/groups", group, "/members"), map[string]string{"email": email})
}

// Invite invites a person without an account to a group, and returns the link.
func (c *Client) Invite(ctx context.Context, group, email string) (string, error) {
	out, err := post[struct {
		Link string `json:"link"`
	}](ctx, c, path("admin/groups", group, "/invitations"), map[string]string{"email": email})
	return out.Link, err
}

// SetTimeFactor grants a candidate more time in the exams that the calling admin owns.
func (c *Client) SetTimeFactor(ctx context.Context, in TimeFactor) error {
	return c.session.Send(ctx, request{Method: http.MethodPut, Path: "/v1/admin/time-factors", Body: in})
}

// Running returns who is sitting an exam now.
func (c *Client) Running(ctx context.Context, project string) (List[RunningSession], error) {
	return get[List[RunningSession]](ctx, c, path("admin/projects", project, "/sessions"))
}

// Extend gives a running session more time, with a message to its candidate.
func (c *Client) Extend(ctx context.Context, session string, seconds int, notice string) error {
	body := map[string]any{"seconds": seconds, "notice": notice}
	return c.session.Send(ctx, request{Method: http.MethodPost, Path: path("admin/sessions", session, "/extend"), Body: body})
}

// Stats returns the totals of the caller's exams.
func (c *Client) Stats(ctx context.Context) (List[Totals], error) {
	return get[List[Totals]](ctx, c, "/v1/results/stats")
}

// Items returns the item analysis of an exam.
func (c *Client) Items(ctx context.Context, project string) (List[ItemReport], error) {
	return get[List[ItemReport]](ctx, c, path("admin/projects", project, "/items"))
}

// PreviewRegrade returns what a regrade would change.
func (c *Client) PreviewRegrade(ctx context.Context, project string, in NewRegrade) (Outcome, error) {
	return post[Outcome](ctx, c, path("admin/projects", project, "/regrades/preview"), in)
}

// Regrade regrades a question in all attempts, in the background.
func (c *Client) Regrade(ctx context.Context, project string, in NewRegrade) (Regrade, error) {
	return post[Regrade](ctx, c, path("admin/projects", project, "/regrades"), in)
}
