package marshal

import (
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// Seal returns the stored value of an attribute that the design lists under encrypt.
func Seal(c *access.Client, entity, attribute string, plain []byte) (types.AttributeValue, error) {
	sealer := c.Options().Sealer
	if sealer == nil {
		return nil, fmt.Errorf("%s of %s: %w", attribute, entity, access.ErrSealed)
	}
	sealed, err := sealer.Seal(plain, sealContext(entity, attribute))
	if err != nil {
		return nil, fmt.Errorf("access: sealing %s of %s: %w", attribute, entity, err)
	}
	return &types.AttributeValueMemberB{Value: sealed}, nil
}

// Open returns what Seal sealed. The error is a *access.DecodeError if the value is not a
// sealed one or does not open.
func Open(c *access.Client, entity, attribute string, v types.AttributeValue) ([]byte, error) {
	sealer := c.Options().Sealer
	if sealer == nil {
		return nil, fmt.Errorf("%s of %s: %w", attribute, entity, access.ErrSealed)
	}
	b, ok := v.(*types.AttributeValueMemberB)
	if !ok || b == nil {
		return nil, &access.DecodeError{Entity: entity, Attribute: attribute, Reason: notKind(v, "B")}
	}
	plain, err := sealer.Open(b.Value, sealContext(entity, attribute))
	switch {
	case errors.Is(err, access.ErrNotOpened):
		return nil, &access.DecodeError{Entity: entity, Attribute: attribute, Reason: access.ErrNotOpened.Error()}
	case err != nil:
		return nil, fmt.Errorf("access: opening %s of %s: %w", attribute, entity, err)
	}
	return plain, nil
}

// sealContext returns the context of a sealed value. It is part of the stored format: another
// context opens nothing that was sealed before.
func sealContext(entity, attribute string) string { return entity + "." + attribute }
