package catalog

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// managedKey is the alias of the key that AWS manages for DynamoDB.
const managedKey = "alias/aws/dynamodb"

// kmsKeyARN returns the ARN of the key that an SSESpecification names by its id, its
// ARN, its alias or the ARN of its alias; without a name it is the managed key.
// There are no keys here, so the key of an alias is made up: the same alias
// always gets the same key.
func (t *Table) kmsKeyARN(id *string) string {
	name := managedKey
	if id != nil {
		name = *id
	}
	prefix := strings.Join(strings.SplitN(t.arn, ":", 6)[:5], ":") + ":"
	prefix = strings.Replace(prefix, ":dynamodb:", ":kms:", 1)
	if parts := strings.SplitN(name, ":", 6); len(parts) == 6 && parts[0] == "arn" {
		prefix, name = strings.TrimSuffix(name, parts[5]), parts[5]
	}
	switch {
	case strings.HasPrefix(name, "key/"):
		return prefix + name
	case strings.HasPrefix(name, "alias/"):
		sum := sha256.Sum256([]byte(prefix + name))
		return fmt.Sprintf("%skey/%x-%x-%x-%x-%x", prefix, sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	}
	return prefix + "key/" + name
}
