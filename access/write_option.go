package access

// WriteOptions holds the settings of one write.
type WriteOptions struct {
	Token *string // makes a transaction idempotent; nil: the call makes a token of its own
}

// A WriteOption changes the settings of one write.
type WriteOption func(*WriteOptions)

// Token makes a transaction idempotent: repeated within ten minutes with the same token and
// the same contents, it succeeds and does nothing. A token has 1 to 36 characters. Without
// this option a call makes a token of its own, which covers its own retries.
func Token(token string) WriteOption {
	return func(o *WriteOptions) { o.Token = &token }
}
