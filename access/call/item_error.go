package call

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// ofItem says which item could not be decoded, among the many a call reads. It names the
// key and nothing else of the item: errors end up in logs.
func ofItem(err error, item access.Item, keys []string) error {
	var wrong *access.DecodeError
	if len(keys) == 0 || !errors.As(err, &wrong) {
		return err
	}
	texts := make([]string, len(keys))
	for i, name := range keys {
		texts[i] = name + " = " + keyTextOf(item[name])
	}
	return fmt.Errorf("the item with %s: %w", strings.Join(texts, ", "), err)
}

func keyTextOf(value types.AttributeValue) string {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return strconv.Quote(v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return hex.EncodeToString(v.Value)
	}
	return "nothing"
}
