# Written by sortkey infra from the design HomeOps. Change the design, not this file.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.29"
    }
  }
}

variable "table_prefix" {
  type        = string
  description = "Prefix of the name of every table, for example one per stage"
  default     = ""
}

variable "alarm_topic_arn" {
  type        = string
  description = "SNS topic that alarms are sent to; without one they only show in CloudWatch"
  default     = ""
}

variable "latency_p99_milliseconds" {
  type        = number
  description = "Alarm when the 99th percentile of the latency of an operation is above this"
  default     = 50
}

variable "user_errors_threshold" {
  type        = number
  description = "Alarm when more requests than this are rejected as invalid in five minutes"
  default     = 10
}

variable "transaction_conflicts_threshold" {
  type        = number
  description = "Alarm when more requests to a table than this are rejected in five minutes because of transaction conflicts"
  default     = 10
}

resource "aws_dynamodb_table" "homeops_messages" {
  name                        = "${var.table_prefix}homeops-messages"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "chatId"
  range_key                   = "messageId"
  deletion_protection_enabled = true

  attribute {
    name = "chatId"
    type = "S"
  }

  attribute {
    name = "messageId"
    type = "N"
  }

  attribute {
    name = "timestamp"
    type = "N"
  }

  attribute {
    name = "userId"
    type = "N"
  }

  global_secondary_index {
    name            = "by_time"
    projection_type = "ALL"

    key_schema {
      attribute_name = "chatId"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "timestamp"
      key_type       = "RANGE"
    }

    key_schema {
      attribute_name = "messageId"
      key_type       = "RANGE"
    }
  }

  global_secondary_index {
    name               = "userId-timestamp-index"
    projection_type    = "INCLUDE"
    non_key_attributes = ["text", "userName"]

    key_schema {
      attribute_name = "userId"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "chatId"
      key_type       = "RANGE"
    }

    key_schema {
      attribute_name = "timestamp"
      key_type       = "RANGE"
    }

    key_schema {
      attribute_name = "messageId"
      key_type       = "RANGE"
    }
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }

  tags = {
    "sortkey:shape" = "1.-g3FgxJIiQgT.lJuBwQrrUzb-xZevAsc4C2-vWpct69k6Jzb-t7Et69eWdzb-qKW2-vJWZt69qMezb-dvYkNm379TSe"
  }

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_dynamodb_table" "homeops" {
  name                        = "${var.table_prefix}homeops"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "PK"
  range_key                   = "SK"
  stream_enabled              = true
  stream_view_type            = "NEW_AND_OLD_IMAGES"
  deletion_protection_enabled = true

  attribute {
    name = "PK"
    type = "S"
  }

  attribute {
    name = "SK"
    type = "S"
  }

  attribute {
    name = "GSI1PK"
    type = "S"
  }

  attribute {
    name = "GSI1SK"
    type = "S"
  }

  attribute {
    name = "GSI2PK"
    type = "S"
  }

  attribute {
    name = "GSI2SK"
    type = "S"
  }

  global_secondary_index {
    name            = "GSI1"
    hash_key        = "GSI1PK"
    range_key       = "GSI1SK"
    projection_type = "ALL"
  }

  global_secondary_index {
    name            = "GSI2"
    hash_key        = "GSI2PK"
    range_key       = "GSI2SK"
    projection_type = "ALL"
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }

  tags = {
    "sortkey:shape"   = "1.ChAivxlQOfla.bCFB-SjgnIKqQkizb-aL9zb-EZWt69We8vAsRljcYyKyGzb-ZnILy9mRDmnyYzMvAsbOut69EH6ZjFJq8FRxEzN2-vhxacYyRZ5FRx5pWFRxnVI8dTo0TvAsRaSt69EJUt69lyqET0OujlJW-FCRrb_gkJUIMuarWT9ZXzb-7EYvAss0s2-vfPC2dP_sPasDGJQzb-uAW0copJyrWTohzasDV7FS_5YLwJUIBtdt69v74zb-"
    "sortkey:shape.2" = "-DuB_waHdzb-kN7o7QGOG2-vfgFt69S31t69VjAxWVIfazb-WhuvAsqia_bupqFJUI9Zlzb-U_fFRxotcvAsxGK3Uzg-ofgG23j2-vscfkQCUxBt69D0ozb-eBxJUIsFbt69DTCzb-TNgzhz_tBJUIznWt69Xwtt69I2bt69_PwrLBXvarWTFEOrWTPdeJUIkwulBSuO1vAs1Rgt69GurZYsThJzb-a4jFRx52DcYylnZCkVIDlt69jzyvAs"
    "sortkey:shape.3" = "PK9t69ABxNArnNnKUe5mf4DPZSnzb-bXR51w7Knzb-cGzFRxL8Ezb-I5RCkVK1acYy8632-vEFmvAs1yARIBLgZwtN1x9asDs6tasDOCpvAsmAyt69aGPzb-kVAFRxRkot693iaUWOHByUsrPBazb-349493gz2cYyC19vAswr5Ah2sMgt69_SBt69XuQt69hvW493weIc_0ytO6Nxv7Wo6lwvKVmFxcIzb-jnKt69z0JvAsaD-t69z8BcYy"
    "sortkey:shape.4" = "-25Ly9kNet69vEcx3dh3Uzb-btot695jJt69IzMt69tAxFRxYzozb-fxovAsYFrVmFnUbt69kbnsej5IhKLrn4ujucZ15zb-Et9cYyNSlvAsISKrWTObkt2Flkc1CfM_0t69biEfgqkFV24xZ1-zb-RoWcYyLiqvAsScNo-HTT6mVY7PLt69-TaFRxP4ft699lSVmF9KvFRxJ1-rWT-5aasD4yXasDm2WKtfDG0tq94_4vAsFSit69UmZt69"
    "sortkey:shape.5" = "geXVmFPEi5ImRUZ1iJrwyjAyn-Lzb--ZSzb-GFdvAsP1DvAsSNozb-NYK2-vM1RasDQdbcYyR9mcYykvjrWTrkxt69HEwt696-qtdSeDdvAsJs5t69aYHkIjm5hzb-wNEvAsN9iCIRnDht692BYjNX06ct69fbkVmFQ4bvAsR2rFRxSs82-vwHTYITjezfgGYV3FRxi-kcYyAiNFRxR8M8dTmnwFRx9j9t69kuprWTZrVt69dvYkNmvtMbpI"
    "sortkey:shape.6" = "7WlvAs1Tlzb-99SLy9R8ivAsROnt691gJJUIp19moWSuwo7QR0F2-v9gkcYyWO2t69Imct69p53JY_59F2-vNDqt69jfht69HV68dTMMEDsl379ELCiR0yvQ"
  }

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_read_capacity" {
  alarm_name          = "${var.table_prefix}homeops-messages-read-capacity"
  alarm_description   = "Reads of homeops-messages above 80 % of 1 unit a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 240
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedReadCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName = aws_dynamodb_table.homeops_messages.name
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_read_throttles" {
  alarm_name          = "${var.table_prefix}homeops-messages-read-throttles"
  alarm_description   = "Reads of homeops-messages were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ReadThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName = aws_dynamodb_table.homeops_messages.name
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_write_capacity" {
  alarm_name          = "${var.table_prefix}homeops-messages-write-capacity"
  alarm_description   = "Writes of homeops-messages above 80 % of 9 units a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 2160
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedWriteCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName = aws_dynamodb_table.homeops_messages.name
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_write_throttles" {
  alarm_name          = "${var.table_prefix}homeops-messages-write-throttles"
  alarm_description   = "Writes of homeops-messages were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "WriteThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName = aws_dynamodb_table.homeops_messages.name
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_by_time_read_capacity" {
  alarm_name          = "${var.table_prefix}homeops-messages-by_time-read-capacity"
  alarm_description   = "Reads of index by_time of homeops-messages above 80 % of 1 unit a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 240
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedReadCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName                = aws_dynamodb_table.homeops_messages.name
    GlobalSecondaryIndexName = "by_time"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_by_time_read_throttles" {
  alarm_name          = "${var.table_prefix}homeops-messages-by_time-read-throttles"
  alarm_description   = "Reads of index by_time of homeops-messages were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ReadThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName                = aws_dynamodb_table.homeops_messages.name
    GlobalSecondaryIndexName = "by_time"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_by_time_write_capacity" {
  alarm_name          = "${var.table_prefix}homeops-messages-by_time-write-capacity"
  alarm_description   = "Writes of index by_time of homeops-messages above 80 % of 9 units a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 2160
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedWriteCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName                = aws_dynamodb_table.homeops_messages.name
    GlobalSecondaryIndexName = "by_time"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_by_time_write_throttles" {
  alarm_name          = "${var.table_prefix}homeops-messages-by_time-write-throttles"
  alarm_description   = "Writes of index by_time of homeops-messages were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "WriteThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName                = aws_dynamodb_table.homeops_messages.name
    GlobalSecondaryIndexName = "by_time"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_userid_timestamp_index_read_capacity" {
  alarm_name          = "${var.table_prefix}homeops-messages-userId-timestamp-index-read-capacity"
  alarm_description   = "Reads of index userId-timestamp-index of homeops-messages above 80 % of 1 unit a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 240
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedReadCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName                = aws_dynamodb_table.homeops_messages.name
    GlobalSecondaryIndexName = "userId-timestamp-index"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_userid_timestamp_index_read_throttles" {
  alarm_name          = "${var.table_prefix}homeops-messages-userId-timestamp-index-read-throttles"
  alarm_description   = "Reads of index userId-timestamp-index of homeops-messages were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ReadThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName                = aws_dynamodb_table.homeops_messages.name
    GlobalSecondaryIndexName = "userId-timestamp-index"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_userid_timestamp_index_write_capacity" {
  alarm_name          = "${var.table_prefix}homeops-messages-userId-timestamp-index-write-capacity"
  alarm_description   = "Writes of index userId-timestamp-index of homeops-messages above 80 % of 5 units a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 1200
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedWriteCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName                = aws_dynamodb_table.homeops_messages.name
    GlobalSecondaryIndexName = "userId-timestamp-index"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_userid_timestamp_index_write_throttles" {
  alarm_name          = "${var.table_prefix}homeops-messages-userId-timestamp-index-write-throttles"
  alarm_description   = "Writes of index userId-timestamp-index of homeops-messages were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "WriteThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName                = aws_dynamodb_table.homeops_messages.name
    GlobalSecondaryIndexName = "userId-timestamp-index"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_system_errors" {
  alarm_name          = "${var.table_prefix}homeops-messages-system-errors"
  alarm_description   = "DynamoDB failed to answer requests to homeops-messages"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "SUM([batchgetitem, batchwriteitem, deleteitem, getitem, putitem, query, updateitem])"
    label       = "SystemErrors"
    return_data = true
  }

  metric_query {
    id = "batchgetitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "BatchGetItem"
      }
    }
  }

  metric_query {
    id = "batchwriteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "BatchWriteItem"
      }
    }
  }

  metric_query {
    id = "deleteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "DeleteItem"
      }
    }
  }

  metric_query {
    id = "getitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "GetItem"
      }
    }
  }

  metric_query {
    id = "putitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "PutItem"
      }
    }
  }

  metric_query {
    id = "query"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "Query"
      }
    }
  }

  metric_query {
    id = "updateitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "UpdateItem"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_messages_latency" {
  alarm_name          = "${var.table_prefix}homeops-messages-latency"
  alarm_description   = "The 99th percentile of the latency of an operation on homeops-messages is too high"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.latency_p99_milliseconds
  evaluation_periods  = 5
  datapoints_to_alarm = 4
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "MAX([batchgetitem, batchwriteitem, deleteitem, getitem, putitem, query, updateitem])"
    label       = "SuccessfulRequestLatency"
    return_data = true
  }

  metric_query {
    id = "batchgetitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "BatchGetItem"
      }
    }
  }

  metric_query {
    id = "batchwriteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "BatchWriteItem"
      }
    }
  }

  metric_query {
    id = "deleteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "DeleteItem"
      }
    }
  }

  metric_query {
    id = "getitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "GetItem"
      }
    }
  }

  metric_query {
    id = "putitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "PutItem"
      }
    }
  }

  metric_query {
    id = "query"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "Query"
      }
    }
  }

  metric_query {
    id = "updateitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops_messages.name
        Operation = "UpdateItem"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_read_capacity" {
  alarm_name          = "${var.table_prefix}homeops-read-capacity"
  alarm_description   = "Reads of homeops above 80 % of 1 unit a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 240
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedReadCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName = aws_dynamodb_table.homeops.name
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_read_throttles" {
  alarm_name          = "${var.table_prefix}homeops-read-throttles"
  alarm_description   = "Reads of homeops were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ReadThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName = aws_dynamodb_table.homeops.name
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_write_capacity" {
  alarm_name          = "${var.table_prefix}homeops-write-capacity"
  alarm_description   = "Writes of homeops above 80 % of 12 units a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 2880
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedWriteCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName = aws_dynamodb_table.homeops.name
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_write_throttles" {
  alarm_name          = "${var.table_prefix}homeops-write-throttles"
  alarm_description   = "Writes of homeops were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "WriteThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName = aws_dynamodb_table.homeops.name
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_gsi1_read_capacity" {
  alarm_name          = "${var.table_prefix}homeops-GSI1-read-capacity"
  alarm_description   = "Reads of index GSI1 of homeops above 80 % of 1 unit a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 240
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedReadCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName                = aws_dynamodb_table.homeops.name
    GlobalSecondaryIndexName = "GSI1"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_gsi1_read_throttles" {
  alarm_name          = "${var.table_prefix}homeops-GSI1-read-throttles"
  alarm_description   = "Reads of index GSI1 of homeops were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ReadThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName                = aws_dynamodb_table.homeops.name
    GlobalSecondaryIndexName = "GSI1"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_gsi1_write_capacity" {
  alarm_name          = "${var.table_prefix}homeops-GSI1-write-capacity"
  alarm_description   = "Writes of index GSI1 of homeops above 80 % of 5 units a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 1200
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedWriteCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName                = aws_dynamodb_table.homeops.name
    GlobalSecondaryIndexName = "GSI1"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_gsi1_write_throttles" {
  alarm_name          = "${var.table_prefix}homeops-GSI1-write-throttles"
  alarm_description   = "Writes of index GSI1 of homeops were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "WriteThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName                = aws_dynamodb_table.homeops.name
    GlobalSecondaryIndexName = "GSI1"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_gsi2_read_capacity" {
  alarm_name          = "${var.table_prefix}homeops-GSI2-read-capacity"
  alarm_description   = "Reads of index GSI2 of homeops above 80 % of 1 unit a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 240
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedReadCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName                = aws_dynamodb_table.homeops.name
    GlobalSecondaryIndexName = "GSI2"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_gsi2_read_throttles" {
  alarm_name          = "${var.table_prefix}homeops-GSI2-read-throttles"
  alarm_description   = "Reads of index GSI2 of homeops were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ReadThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName                = aws_dynamodb_table.homeops.name
    GlobalSecondaryIndexName = "GSI2"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_gsi2_write_capacity" {
  alarm_name          = "${var.table_prefix}homeops-GSI2-write-capacity"
  alarm_description   = "Writes of index GSI2 of homeops above 80 % of 5 units a second, the capacity for the design's peak"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 1200
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "ConsumedWriteCapacityUnits"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName                = aws_dynamodb_table.homeops.name
    GlobalSecondaryIndexName = "GSI2"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_gsi2_write_throttles" {
  alarm_name          = "${var.table_prefix}homeops-GSI2-write-throttles"
  alarm_description   = "Writes of index GSI2 of homeops were throttled"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "WriteThrottleEvents"
  statistic           = "Sum"
  period              = 60
  dimensions = {
    TableName                = aws_dynamodb_table.homeops.name
    GlobalSecondaryIndexName = "GSI2"
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_system_errors" {
  alarm_name          = "${var.table_prefix}homeops-system-errors"
  alarm_description   = "DynamoDB failed to answer requests to homeops"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "SUM([batchgetitem, batchwriteitem, deleteitem, getitem, putitem, query, transactwriteitems, updateitem])"
    label       = "SystemErrors"
    return_data = true
  }

  metric_query {
    id = "batchgetitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "BatchGetItem"
      }
    }
  }

  metric_query {
    id = "batchwriteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "BatchWriteItem"
      }
    }
  }

  metric_query {
    id = "deleteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "DeleteItem"
      }
    }
  }

  metric_query {
    id = "getitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "GetItem"
      }
    }
  }

  metric_query {
    id = "putitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "PutItem"
      }
    }
  }

  metric_query {
    id = "query"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "Query"
      }
    }
  }

  metric_query {
    id = "transactwriteitems"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "TransactWriteItems"
      }
    }
  }

  metric_query {
    id = "updateitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "UpdateItem"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_latency" {
  alarm_name          = "${var.table_prefix}homeops-latency"
  alarm_description   = "The 99th percentile of the latency of an operation on homeops is too high"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.latency_p99_milliseconds
  evaluation_periods  = 5
  datapoints_to_alarm = 4
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "MAX([batchgetitem, batchwriteitem, deleteitem, getitem, putitem, query, transactwriteitems, updateitem])"
    label       = "SuccessfulRequestLatency"
    return_data = true
  }

  metric_query {
    id = "batchgetitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "BatchGetItem"
      }
    }
  }

  metric_query {
    id = "batchwriteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "BatchWriteItem"
      }
    }
  }

  metric_query {
    id = "deleteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "DeleteItem"
      }
    }
  }

  metric_query {
    id = "getitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "GetItem"
      }
    }
  }

  metric_query {
    id = "putitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "PutItem"
      }
    }
  }

  metric_query {
    id = "query"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "Query"
      }
    }
  }

  metric_query {
    id = "transactwriteitems"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "TransactWriteItems"
      }
    }
  }

  metric_query {
    id = "updateitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.homeops.name
        Operation = "UpdateItem"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "homeops_transaction_conflicts" {
  alarm_name          = "${var.table_prefix}homeops-transaction-conflicts"
  alarm_description   = "Requests to homeops were rejected because of a transaction conflict"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.transaction_conflicts_threshold
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "TransactionConflict"
  statistic           = "Sum"
  period              = 300
  dimensions = {
    TableName = aws_dynamodb_table.homeops.name
  }
}

resource "aws_cloudwatch_metric_alarm" "user_errors" {
  alarm_name          = "${var.table_prefix}homeops-user-errors"
  alarm_description   = "Requests that DynamoDB rejected as invalid, for all tables: the metric is per account and region"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.user_errors_threshold
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  namespace           = "AWS/DynamoDB"
  metric_name         = "UserErrors"
  statistic           = "Sum"
  period              = 300
}

output "homeops_messages_name" {
  description = "Name of homeops-messages"
  value       = aws_dynamodb_table.homeops_messages.name
}

output "homeops_messages_arn" {
  description = "ARN of homeops-messages"
  value       = aws_dynamodb_table.homeops_messages.arn
}

output "homeops_name" {
  description = "Name of homeops"
  value       = aws_dynamodb_table.homeops.name
}

output "homeops_arn" {
  description = "ARN of homeops"
  value       = aws_dynamodb_table.homeops.arn
}

output "homeops_stream_arn" {
  description = "ARN of the stream of homeops"
  value       = aws_dynamodb_table.homeops.stream_arn
}
