package request

import "sortkey.dev/engine/internal/dynamo"

// CheckListImports checks the input of ListImports.
func CheckListImports(in *dynamo.ListImportsInput) error {
	return checkListOf(in.TableArn, in.PageSize, "pageSize")
}
