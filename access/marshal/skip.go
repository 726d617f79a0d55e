package marshal

// Skip is returned by a decode function for an item that is not part of the answer.
const Skip = skipped("access: not part of the answer")

type skipped string

func (s skipped) Error() string { return string(s) }
