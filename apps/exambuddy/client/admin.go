package client

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"

	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/internal/apiclient"
	"sortkey.dev/apps/internal/operation"
)

// CreateProject creates an exam as a draft.
func (c *Client) CreateProject(ctx context.Context, in NewProject) (Project, error) {
	return apiclient.Call(ctx, &c.session, contract.CreateProject, operation.Keyed[NewProject]{Body: in})
}

// Projects returns a page of the caller's exams, newest first.
func (c *Client) Projects(ctx context.Context, cursor string) (List[Project], error) {
	return apiclient.Call(ctx, &c.session, contract.ListProjects, contract.ProjectFilter{Cursor: cursor})
}

// Project returns an exam of the caller.
func (c *Client) Project(ctx context.Context, id string) (Project, error) {
	return apiclient.Call(ctx, &c.session, contract.GetProject, operation.ByID{ID: id})
}

// EditProject changes the settings of an exam, if its version is the one of the change.
func (c *Client) EditProject(ctx context.Context, id string, in NewProject) (Project, error) {
	return apiclient.Call(ctx, &c.session, contract.EditProject, operation.ByIDWith[NewProject]{ID: id, Body: in})
}

// Publish shows an exam to candidates.
func (c *Client) Publish(ctx context.Context, id string) (Project, error) {
	return apiclient.Call(ctx, &c.session, contract.Publish, operation.ByID{ID: id})
}

// Unpublish makes an exam a draft.
func (c *Client) Unpublish(ctx context.Context, id string) (Project, error) {
	return apiclient.Call(ctx, &c.session, contract.Unpublish, operation.ByID{ID: id})
}

// Archive hides an exam.
func (c *Client) Archive(ctx context.Context, id string) (Project, error) {
	return apiclient.Call(ctx, &c.session, contract.Archive, operation.ByID{ID: id})
}

// Restore makes an archived exam a draft.
func (c *Client) Restore(ctx context.Context, id string) (Project, error) {
	return apiclient.Call(ctx, &c.session, contract.Restore, operation.ByID{ID: id})
}

// DeleteProject deletes an exam that was archived ten minutes ago or earlier.
func (c *Client) DeleteProject(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.DeleteProject, operation.ByID{ID: id})
}

// AddQuestion adds a question to an exam.
func (c *Client) AddQuestion(ctx context.Context, project string, in NewQuestion) (Item, error) {
	return apiclient.Call(ctx, &c.session, contract.AddQuestion, operation.ByIDKeyed[NewQuestion]{ID: project, Body: in})
}

// Questions returns a page of the questions of an exam with their keys.
func (c *Client) Questions(ctx context.Context, project, cursor string) (List[Item], error) {
	return apiclient.Call(ctx, &c.session, contract.ListQuestions, operation.PageOf{ID: project, Cursor: cursor})
}

// Question returns a question with its key.
func (c *Client) Question(ctx context.Context, id string) (Item, error) {
	return apiclient.Call(ctx, &c.session, contract.GetQuestion, operation.ByID{ID: id})
}

// ChangeQuestion replaces a question, if its version is the one of the change. The error is
// ErrChanged otherwise.
func (c *Client) ChangeQuestion(ctx context.Context, id string, in NewQuestion) (Item, error) {
	return apiclient.Call(ctx, &c.session, contract.ChangeQuestion, operation.ByIDWith[NewQuestion]{ID: id, Body: in})
}

// RemoveQuestion deletes a question. Attempts keep their own copy.
func (c *Client) RemoveQuestion(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.RemoveQuestion, operation.ByID{ID: id})
}

// UploadImage uploads a PNG, JPEG, GIF or WebP of at most 5 MB, and returns its name.
func (c *Client) UploadImage(ctx context.Context, picture []byte) (string, error) {
	body := operation.Content{Media: "application/octet-stream", Content: picture}
	stored, err := apiclient.Call(ctx, &c.session, contract.UploadImage, operation.With[operation.Content]{Body: body})
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
	file := operation.Content{Media: form.FormDataContentType(), Content: body.Bytes()}
	return apiclient.Call(ctx, &c.session, contract.UploadDocument, operation.ByIDKeyed[operation.Content]{ID: project, Body: file})
}

// Document returns the state of an uploaded file.
func (c *Client) Document(ctx context.Context, project, id string) (Document, error) {
	return apiclient.Call(ctx, &c.session, contract.GetDocument, contract.DocumentOf{ID: project, Document: id})
}

// Drafts returns a page of the questions that were found in a file.
func (c *Client) Drafts(ctx context.Context, project, document, cursor string) (List[Draft], error) {
	return apiclient.Call(ctx, &c.session, contract.ListDrafts, contract.DraftsOf{ID: project, Document: document, Cursor: cursor})
}

// EditDraft changes a found question, or what happens to it.
func (c *Client) EditDraft(ctx context.Context, project, document string, position int, in DraftChange) (Draft, error) {
	return apiclient.Call(ctx, &c.session, contract.EditDraft, contract.DraftEdit{ID: project, Document: document, Position: position, Body: in})
}

// DeleteDocument deletes an uploaded file and what was found in it. Imported questions stay.
func (c *Client) DeleteDocument(ctx context.Context, project, id string) error {
	return apiclient.Do(ctx, &c.session, contract.DeleteDocument, contract.DocumentOf{ID: project, Document: id})
}

// PublishImport imports the chosen questions of a file.
func (c *Client) PublishImport(ctx context.Context, project, document string) (Document, error) {
	return apiclient.Call(ctx, &c.session, contract.PublishImport, contract.DocumentOf{ID: project, Document: document})
}

// Export returns all questions of an exam as a file: json, csv, gift, aiken or qti.
func (c *Client) Export(ctx context.Context, project, format string) ([]byte, error) {
	return apiclient.Call(ctx, &c.session, contract.Export, contract.ExportOf{ID: project, Format: format})
}

// CreateGroup creates a group.
func (c *Client) CreateGroup(ctx context.Context, name string) (Group, error) {
	return apiclient.Call(ctx, &c.session, contract.CreateGroup, operation.Keyed[contract.NewGroup]{Body: contract.NewGroup{Name: name}})
}

// Groups returns the caller's groups, newest first.
func (c *Client) Groups(ctx context.Context) (List[Group], error) {
	return apiclient.Call(ctx, &c.session, contract.ListGroups, contract.None{})
}

// AddMember adds a candidate to a group.
func (c *Client) AddMember(ctx context.Context, group, email string) (Member, error) {
	return apiclient.Call(ctx, &c.session, contract.AddMember, operation.ByIDWith[contract.Address]{ID: group, Body: contract.Address{Email: email}})
}

// Invite invites a person without an account to a group, and returns the link.
func (c *Client) Invite(ctx context.Context, group, email string) (string, error) {
	out, err := apiclient.Call(ctx, &c.session, contract.Invite, operation.ByIDKeyed[contract.Address]{ID: group, Body: contract.Address{Email: email}})
	return out.Link, err
}

// SetTimeFactor grants a candidate more time in the exams that the calling admin owns.
func (c *Client) SetTimeFactor(ctx context.Context, in TimeFactor) error {
	return apiclient.Do(ctx, &c.session, contract.SetTimeFactor, operation.With[TimeFactor]{Body: in})
}

// Running returns who is sitting an exam now.
func (c *Client) Running(ctx context.Context, project string) (List[RunningSession], error) {
	return apiclient.Call(ctx, &c.session, contract.ListRunning, operation.ByID{ID: project})
}

// Extend gives a running session more time, with a message to its candidate.
func (c *Client) Extend(ctx context.Context, session string, seconds int, notice string) error {
	return apiclient.Do(ctx, &c.session, contract.ExtendSession, operation.ByIDKeyed[contract.Extension]{ID: session, Body: contract.Extension{Seconds: seconds, Notice: notice}})
}

// Stats returns the totals of the caller's exams.
func (c *Client) Stats(ctx context.Context) (List[Totals], error) {
	return apiclient.Call(ctx, &c.session, contract.GetStats, contract.None{})
}

// Items returns the item analysis of an exam.
func (c *Client) Items(ctx context.Context, project string) (List[ItemReport], error) {
	return apiclient.Call(ctx, &c.session, contract.AnalyseItems, operation.ByID{ID: project})
}

// PreviewRegrade returns what a regrade would change.
func (c *Client) PreviewRegrade(ctx context.Context, project string, in NewRegrade) (Outcome, error) {
	return apiclient.Call(ctx, &c.session, contract.PreviewRegrade, operation.ByIDWith[NewRegrade]{ID: project, Body: in})
}

// Regrade regrades a question in all attempts, in the background.
func (c *Client) Regrade(ctx context.Context, project string, in NewRegrade) (Regrade, error) {
	return apiclient.Call(ctx, &c.session, contract.StartRegrade, operation.ByIDKeyed[NewRegrade]{ID: project, Body: in})
}
