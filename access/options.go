package access

// An Option changes how a client works.
type Option func(*Client)

// WithCursorKey seals cursors with a key of 16, 24 or 32 bytes. Keys of items often hold
// ids of users or tenants; sealed, a cursor shows nothing and cannot be made up. With a key
// of another length, or none, every page is an error: cursors are never readable by mistake.
func WithCursorKey(key []byte) Option {
	own := append([]byte{}, key...) // not nil, and nobody clears it
	return func(c *Client) { c.cursorKey = own }
}

// WithObserver reports every call to an observer.
func WithObserver(o Observer) Option { return func(c *Client) { c.observer = o } }

// WithSealer seals the attributes a design lists under encrypt. Without one, writing or
// reading such an attribute is an error.
func WithSealer(s Sealer) Option { return func(c *Client) { c.sealer = s } }

// WithTableNames gives the tables of the design other names, for example one prefix for
// each stage.
func WithTableNames(name func(design string) string) Option {
	return func(c *Client) { c.tableName = name }
}

// WithTablePrefix puts a text in front of the name of every table.
func WithTablePrefix(prefix string) Option {
	return WithTableNames(func(name string) string { return prefix + name })
}

// WithConcurrency bounds how many requests one call has under way at once; 16 if not said.
func WithConcurrency(n int) Option { return func(c *Client) { c.concurrency = max(n, 1) } }
