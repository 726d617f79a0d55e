package gogen

import "fmt"

// printTestPackage prints the package that has databases in memory for tests.
func (g *generator) printTestPackage(p *printer) {
	pkg := g.options.Package
	p.packageDoc(fmt.Sprintf("Package %stest has databases of the design %s for tests: fresh ones in memory, with all tables. It links the engine; programs use %[1]s alone.", pkg, g.design.Name))
	p.doc("New is an empty database for one test. It is gone when the test is over.")
	p.line("func New(t testing.TB, options ...access.Option) *%s.DB {", pkg)
	p.line("t.Helper()")
	p.line("db, _ := Open(t, options...)")
	p.line("return db")
	p.line("}")
	p.blank()
	p.doc("Open is New with the engine behind it, for streams and for requests of other kinds.")
	p.line("func Open(t testing.TB, options ...access.Option) (*%s.DB, *engine.DB) {", pkg)
	p.line("t.Helper()")
	p.line(`memory, err := engine.Open("", nil)`)
	p.line("if err != nil {")
	p.line(`t.Fatalf("%stest: %%v", err)`, pkg)
	p.line("}")
	p.line("t.Cleanup(func() {")
	p.line("if err := memory.Close(); err != nil {")
	p.line(`t.Errorf("%stest: %%v", err)`, pkg)
	p.line("}")
	p.line("})")
	p.line("sealer, err := access.NewSealer([]byte(testKey))")
	p.line("if err != nil {")
	p.line(`t.Fatalf("%stest: %%v", err)`, pkg)
	p.line("}")
	p.line("options = append([]access.Option{access.WithSealer(sealer)}, options...)")
	p.line("db := %s.New(memory.API(), options...)", pkg)
	p.line("tables := provision.Options{TableNames: db.Client().Table, KMSKey: testKey, Poll: time.Millisecond}")
	p.line("if _, err := provision.Apply(t.Context(), memory.API(), %s.Tables(), tables); err != nil {", pkg)
	p.line(`t.Fatalf("%stest: %%v", err)`, pkg)
	p.line("}")
	p.line("return db, memory")
	p.line("}")
	p.blank()
	p.doc("testKey seals what the design encrypts. It is no secret: everything is gone after the test.")
	p.line(`const testKey = "a key for tests!"`)
}
