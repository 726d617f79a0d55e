package partiql

import (
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// A parser parses the text of one statement. It recurses into parentheses, values and
// NOT, up to maxDepth.
type parser struct {
	text      string
	token     token
	depth     int
	operators int
	tree      *tree
}

// parse parses a statement.
func parse(text string) (*tree, error) {
	p := &parser{text: text, tree: &tree{}}
	p.token = lex(text, 0)
	if err := p.statement(); err != nil {
		return nil, err
	}
	p.accept(tokenSemicolon)
	if p.token.kind != tokenEnd {
		return nil, malformed("Unexpected token after expression")
	}
	if p.operators > dynamo.MaxExpressionOperators {
		return nil, dynamo.Invalid("The expression contains too many operators; operator count: %d", dynamo.MaxExpressionOperators+1)
	}
	return p.tree, nil
}

// advance moves to the next token.
func (p *parser) advance() { p.token = lex(p.text, p.token.end) }

// accept advances if the token is of this kind.
func (p *parser) accept(kind tokenKind) bool {
	if p.token.kind != kind {
		return false
	}
	p.advance()
	return true
}

// expect advances if the token is of this kind, and fails otherwise.
func (p *parser) expect(kind tokenKind) error {
	if !p.accept(kind) {
		return p.unexpected()
	}
	return nil
}

// word returns the text of the token.
func (p *parser) word() string { return p.text[p.token.start:p.token.end] }

// is reports whether the token is this word, in any case.
func (p *parser) is(word string) bool {
	return p.token.kind == tokenWord && strings.EqualFold(p.word(), word)
}

// acceptWord advances if the token is this word.
func (p *parser) acceptWord(word string) bool {
	if !p.is(word) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expectWord(word string) error {
	if !p.acceptWord(word) {
		return p.unexpected()
	}
	return nil
}

// unexpected reports the token as the error.
func (p *parser) unexpected() error {
	switch {
	case p.token.kind == tokenWord && isKeyword(p.word()):
		return malformed("Unexpected keyword")
	case p.token.kind.isOperator():
		return malformed("Unexpected operator")
	default:
		return malformed("Unexpected term")
	}
}

// isIdentifier reports whether the token is an identifier.
func (p *parser) isIdentifier() bool {
	return p.token.kind == tokenQuoted || p.token.kind == tokenWord && !isKeyword(p.word())
}

// identifier parses an identifier. The token must be one.
func (p *parser) identifier() string {
	name := p.word()
	if p.token.kind == tokenQuoted {
		name = unquote(name)
	}
	p.advance()
	return name
}

// statement parses a statement of any kind.
func (p *parser) statement() error {
	t := p.tree
	switch {
	case p.acceptWord("SELECT"):
		t.kind = kindSelect
		return p.selectRest()
	case p.acceptWord("INSERT"):
		t.kind = kindInsert
		return p.insertRest()
	case p.acceptWord("UPDATE"):
		t.kind = kindUpdate
		return p.updateRest()
	case p.acceptWord("DELETE"):
		t.kind = kindDelete
		return p.deleteRest()
	case p.acceptWord("FROM"):
		t.kind = kindUpdate
		return p.fromRest()
	case p.acceptWord("EXISTS"):
		t.kind = kindExists
		return p.existsRest()
	}
	return p.notStatement()
}

// notStatement returns the error for a text that does not start with a statement: it is
// an expression, or empty.
func (p *parser) notStatement() error {
	n, err := p.expression(lowest)
	if err != nil || p.token.kind != tokenEnd {
		return malformed("Expected data manipulation")
	}
	return dynamo.Invalid("Unsupported operation: %s", operationNames[n.op])
}

// operationNames lists the names, in messages, of expressions that are not statements.
var operationNames = [...]string{
	opPath: "Path", opString: "Literal", opNumber: "Literal", opTrue: "Literal", opFalse: "Literal", opNull: "Literal",
	opMissing: "Literal", opParameter: "Parameter", opList: "List", opMap: "Struct", opSet: "Bag", opCall: "Call",
	opOr: "Or", opAnd: "And", opNot: "Not", opEqual: "Eq", opNotEqual: "Ne", opLess: "Lt", opLessOrEqual: "Lte",
	opGreater: "Gt", opGreaterOrEqual: "Gte", opBetween: "Between", opIn: "InCollection", opIs: "IsType",
	opPlus: "Plus", opMinus: "Minus",
}

// selectRest parses a select after its first word.
func (p *parser) selectRest() error {
	if p.token.kind == tokenOtherOperator && p.word() == "*" {
		p.advance()
	} else if err := p.columns(); err != nil {
		return err
	}
	if err := p.expectWord("FROM"); err != nil {
		return err
	}
	if err := p.table(true); err != nil {
		return err
	}
	if err := p.whereClause(); err != nil {
		return err
	}
	if p.acceptWord("ORDER") {
		if err := p.orderTerms(); err != nil {
			return err
		}
	}
	if p.acceptWord("LIMIT") {
		var err error
		p.tree.limit, err = p.expression(lowest)
		return err
	}
	return nil
}

// columns parses the columns of a select.
func (p *parser) columns() error {
	for {
		n, err := p.expression(lowest)
		if err != nil {
			return err
		}
		p.tree.columns = append(p.tree.columns, n)
		if err := p.aliasRest(); err != nil {
			return err
		}
		if !p.accept(tokenComma) {
			return nil
		}
	}
}

// aliasRest parses an alias, if there is one.
func (p *parser) aliasRest() error {
	switch {
	case p.acceptWord("AS"):
		if !p.isIdentifier() {
			return malformed("Expected identifier for alias")
		}
	case !p.isIdentifier(), p.is("RETURNING"):
		return nil
	}
	p.identifier()
	p.tree.alias = true
	return nil
}

// table parses the name of a table, optionally with that of an index.
func (p *parser) table(mayHaveAlias bool) error {
	for {
		if !p.isIdentifier() {
			return malformed("Expected identifier for simple path")
		}
		p.tree.from = append(p.tree.from, p.identifier())
		if !p.accept(tokenDot) {
			break
		}
	}
	if !mayHaveAlias {
		return nil
	}
	return p.aliasRest()
}

func (p *parser) whereClause() (err error) {
	if p.acceptWord("WHERE") {
		p.tree.where, err = p.expression(lowest)
	}
	return err
}

// orderTerms parses the terms after ORDER.
func (p *parser) orderTerms() error {
	if err := p.expectWord("BY"); err != nil {
		return err
	}
	for {
		if !p.isIdentifier() {
			return malformed("Expected identifier for simple path")
		}
		term := orderTerm{name: p.identifier()}
		if !p.acceptWord("ASC") {
			term.desc = p.acceptWord("DESC")
		}
		p.tree.order = append(p.tree.order, term)
		if !p.accept(tokenComma) {
			return nil
		}
	}
}

// insertRest parses an insert after its first word.
func (p *parser) insertRest() (err error) {
	if err := p.expectWord("INTO"); err != nil {
		return err
	}
	if err := p.table(false); err != nil {
		return err
	}
	if !p.is("VALUE") {
		if p.isIdentifier() { // an alias
			return malformed("Unexpected token after expression")
		}
		return p.unexpected()
	}
	p.advance()
	p.tree.value, err = p.expression(lowest)
	return err
}

// updateRest parses an update that starts with UPDATE.
func (p *parser) updateRest() error {
	if err := p.table(true); err != nil {
		return err
	}
	if err := p.changes(); err != nil {
		return err
	}
	if err := p.whereClause(); err != nil {
		return err
	}
	return p.returningClause()
}

// fromRest parses an update that starts with FROM.
func (p *parser) fromRest() error {
	if err := p.table(true); err != nil {
		return err
	}
	if err := p.whereClause(); err != nil {
		return err
	}
	if err := p.changes(); err != nil {
		return err
	}
	return p.returningClause()
}

// changes parses the SET and REMOVE clauses of an update. There is at least one.
func (p *parser) changes() error {
	for {
		switch {
		case p.acceptWord("SET"):
			if err := p.assignments(); err != nil {
				return err
			}
		case p.acceptWord("REMOVE"):
			target, err := p.target()
			if err != nil {
				return err
			}
			p.tree.changes = append(p.tree.changes, change{target: target})
		case len(p.tree.changes) == 0:
			return malformed("Expected data manipulation")
		default:
			return nil
		}
	}
}

func (p *parser) assignments() error {
	for {
		target, err := p.target()
		if err != nil {
			return err
		}
		if err := p.expect(tokenEqual); err != nil {
			return err
		}
		value, err := p.expression(lowest)
		if err != nil {
			return err
		}
		p.tree.changes = append(p.tree.changes, change{target, value})
		if !p.accept(tokenComma) {
			return nil
		}
	}
}

// target parses a path to change.
func (p *parser) target() (*node, error) {
	if !p.isIdentifier() {
		return nil, malformed("Expected identifier for simple path")
	}
	return p.path()
}

// deleteRest parses a delete after its first word.
func (p *parser) deleteRest() error {
	if err := p.expectWord("FROM"); err != nil {
		return err
	}
	if err := p.table(true); err != nil {
		return err
	}
	if err := p.whereClause(); err != nil {
		return err
	}
	return p.returningClause()
}

func (p *parser) returningClause() error {
	if !p.acceptWord("RETURNING") {
		return nil
	}
	r := &p.tree.returning
	switch {
	case p.acceptWord("ALL"):
		r.what = "ALL"
	case p.acceptWord("MODIFIED"):
		r.what = "MODIFIED"
	default:
		return p.unexpected()
	}
	switch {
	case p.acceptWord("OLD"):
		r.when = "OLD"
	case p.acceptWord("NEW"):
		r.when = "NEW"
	default:
		return p.unexpected()
	}
	if p.token.kind != tokenOtherOperator || p.word() != "*" {
		return p.unexpected()
	}
	p.advance()
	return nil
}

// existsRest parses the select of an EXISTS.
func (p *parser) existsRest() error {
	if err := p.expect(tokenOpen); err != nil {
		return err
	}
	if err := p.expectWord("SELECT"); err != nil {
		return err
	}
	if err := p.selectRest(); err != nil {
		return err
	}
	return p.expect(tokenClose)
}
