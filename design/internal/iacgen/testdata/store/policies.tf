# Written by sortkey iam from the design Store. Change the design, not this file.
# customer: writes are restricted to partitions and to what they return (dynamodb:ReturnValues), not to attributes: generated code requests the item after an update and the item that failed a condition, and dynamodb:Attributes would deny that
# customer: orders is encrypted with a customer managed key: the key policy must allow the role to use it through DynamoDB
# clerk: orders is encrypted with a customer managed key: the key policy must allow the role to use it through DynamoDB
# sensor: SaveReading, ForgetReading: the partition key of store.readings is not a string, so dynamodb:LeadingKeys does not apply, and the role can write all of it
# sensor: ListReadings: the partition key of store.readings is not a string, so dynamodb:LeadingKeys does not apply, and the role can read all of it
# sensor: writes are restricted to partitions and to what they return (dynamodb:ReturnValues), not to attributes: generated code requests the item after an update and the item that failed a condition, and dynamodb:Attributes would deny that
# server: writes are restricted to partitions and to what they return (dynamodb:ReturnValues), not to attributes: generated code requests the item after an update and the item that failed a condition, and dynamodb:Attributes would deny that
# server: orders is encrypted with a customer managed key: the key policy must allow the role to use it through DynamoDB

variable "table_prefix" {
  type        = string
  description = "Prefix of the name of every table, for example one per stage"
  default     = "dev-"
}

data "aws_caller_identity" "current" {}

data "aws_partition" "current" {}

data "aws_region" "current" {}

locals {
  tables = "arn:${data.aws_partition.current.partition}:dynamodb:${data.aws_region.current.id}:${data.aws_caller_identity.current.account_id}:table/${var.table_prefix}"
}

resource "aws_iam_policy" "customer" {
  name        = "${var.table_prefix}store-customer"
  description = "The role customer of Store"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid      = "ListOrders"
        Effect   = "Allow"
        Action   = ["dynamodb:Query"]
        Resource = ["${local.tables}orders"]
        Condition = {
          "ForAllValues:StringEquals" = {
            "dynamodb:Attributes"  = ["PK", "SK", "amount", "kind", "status"]
            "dynamodb:LeadingKeys" = ["CUSTOMER#$${aws:PrincipalTag/sub}"]
          }
          StringEqualsIfExists = {
            "dynamodb:Select" = ["COUNT", "SPECIFIC_ATTRIBUTES"]
          }
        }
      },
      {
        Sid      = "LargestOrders"
        Effect   = "Allow"
        Action   = ["dynamodb:Query"]
        Resource = ["${local.tables}orders/index/by_amount"]
        Condition = {
          "ForAllValues:StringEquals" = {
            "dynamodb:LeadingKeys" = ["CUSTOMER#$${aws:PrincipalTag/sub}"]
          }
        }
      },
      {
        Sid      = "CustomerWrites"
        Effect   = "Allow"
        Action   = ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"]
        Resource = ["${local.tables}orders"]
        Condition = {
          "ForAllValues:StringEquals" = {
            "dynamodb:LeadingKeys" = ["CUSTOMER#$${aws:PrincipalTag/sub}"]
          }
          StringEqualsIfExists = {
            "dynamodb:ReturnValues" = ["ALL_NEW", "NONE"]
          }
        }
      },
    ]
  })
}

resource "aws_iam_policy" "clerk" {
  name        = "${var.table_prefix}store-clerk"
  description = "The role clerk of Store"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid      = "ListByStore"
        Effect   = "Allow"
        Action   = ["dynamodb:Query"]
        Resource = ["${local.tables}orders/index/by_store"]
        Condition = {
          "ForAllValues:StringEquals" = {
            "dynamodb:Attributes"  = ["PK", "SK", "amount", "kind", "order_id", "placed_at", "status", "store_id"]
            "dynamodb:LeadingKeys" = ["$${cognito-identity.amazonaws.com:sub}"]
          }
          StringEqualsIfExists = {
            "dynamodb:Select" = ["COUNT", "SPECIFIC_ATTRIBUTES"]
          }
        }
      },
    ]
  })
}

resource "aws_iam_policy" "sensor" {
  name        = "${var.table_prefix}store-sensor"
  description = "The role sensor of Store"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid      = "SensorWrites"
        Effect   = "Allow"
        Action   = ["dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:Query"]
        Resource = ["${local.tables}store.readings"]
        Condition = {
          StringEqualsIfExists = {
            "dynamodb:ReturnValues" = ["NONE"]
          }
        }
      },
    ]
  })
}

resource "aws_iam_policy" "server" {
  name        = "${var.table_prefix}store-server"
  description = "The role server of Store"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid      = "ListOrders"
        Effect   = "Allow"
        Action   = ["dynamodb:Query"]
        Resource = ["${local.tables}orders"]
        Condition = {
          "ForAllValues:StringEquals" = {
            "dynamodb:Attributes" = ["PK", "SK", "amount", "kind", "status"]
          }
          "ForAllValues:StringLike" = {
            "dynamodb:LeadingKeys" = ["CUSTOMER#*"]
          }
          StringEqualsIfExists = {
            "dynamodb:Select" = ["COUNT", "SPECIFIC_ATTRIBUTES"]
          }
        }
      },
      {
        Sid      = "LargestOrders"
        Effect   = "Allow"
        Action   = ["dynamodb:Query"]
        Resource = ["${local.tables}orders/index/by_amount"]
        Condition = {
          "ForAllValues:StringLike" = {
            "dynamodb:LeadingKeys" = ["CUSTOMER#*"]
          }
        }
      },
      {
        Sid      = "ListByStore"
        Effect   = "Allow"
        Action   = ["dynamodb:Query"]
        Resource = ["${local.tables}orders/index/by_store"]
        Condition = {
          "ForAllValues:StringEquals" = {
            "dynamodb:Attributes" = ["PK", "SK", "amount", "kind", "order_id", "placed_at", "status", "store_id"]
          }
          StringEqualsIfExists = {
            "dynamodb:Select" = ["COUNT", "SPECIFIC_ATTRIBUTES"]
          }
        }
      },
      {
        Sid      = "ServerWrites"
        Effect   = "Allow"
        Action   = ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"]
        Resource = ["${local.tables}orders"]
        Condition = {
          "ForAllValues:StringLike" = {
            "dynamodb:LeadingKeys" = ["CUSTOMER#*"]
          }
          StringEqualsIfExists = {
            "dynamodb:ReturnValues" = ["ALL_NEW", "NONE"]
          }
        }
      },
      {
        Sid      = "ServerWrites2"
        Effect   = "Allow"
        Action   = ["dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:Query"]
        Resource = ["${local.tables}store.readings"]
        Condition = {
          StringEqualsIfExists = {
            "dynamodb:ReturnValues" = ["NONE"]
          }
        }
      },
      {
        Sid      = "ServerWrites3"
        Effect   = "Allow"
        Action   = ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:GetItem", "dynamodb:PutItem"]
        Resource = ["${local.tables}store_readings"]
        Condition = {
          StringEqualsIfExists = {
            "dynamodb:ReturnValues" = ["NONE"]
          }
        }
      },
    ]
  })
}

output "customer_policy_arn" {
  description = "Policy of the role customer"
  value       = aws_iam_policy.customer.arn
}

output "clerk_policy_arn" {
  description = "Policy of the role clerk"
  value       = aws_iam_policy.clerk.arn
}

output "sensor_policy_arn" {
  description = "Policy of the role sensor"
  value       = aws_iam_policy.sensor.arn
}

output "server_policy_arn" {
  description = "Policy of the role server"
  value       = aws_iam_policy.server.arn
}
