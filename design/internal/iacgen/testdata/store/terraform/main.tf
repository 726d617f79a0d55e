# Written by sortkey infra from the design Store. Change the design, not this file.

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

variable "kms_key_arn" {
  type        = string
  description = "ARN of the key that encrypts the tables"
  default     = "arn:aws:kms:eu-west-1:123456789012:key/store"
}

resource "aws_dynamodb_table" "orders" {
  name                        = "${var.table_prefix}orders"
  billing_mode                = "PROVISIONED"
  read_capacity               = 12
  write_capacity              = 5
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
    name = "store_id"
    type = "S"
  }

  attribute {
    name = "status"
    type = "S"
  }

  attribute {
    name = "placed_at"
    type = "S"
  }

  attribute {
    name = "order_id"
    type = "S"
  }

  attribute {
    name = "amount"
    type = "N"
  }

  global_secondary_index {
    name               = "by_store"
    projection_type    = "INCLUDE"
    non_key_attributes = ["amount"]
    read_capacity      = 12
    write_capacity     = 9

    key_schema {
      attribute_name = "store_id"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "status"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "placed_at"
      key_type       = "RANGE"
    }

    key_schema {
      attribute_name = "order_id"
      key_type       = "RANGE"
    }
  }

  global_secondary_index {
    name            = "by-status"
    hash_key        = "status"
    projection_type = "KEYS_ONLY"
    read_capacity   = 12
    write_capacity  = 5
  }

  local_secondary_index {
    name            = "by_amount"
    range_key       = "amount"
    projection_type = "ALL"
  }

  ttl {
    attribute_name = "expires_at"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = var.kms_key_arn
  }

  tags = {
    team            = "shop: a/b"
    cost-center     = "42"
    "sortkey:shape" = "1.PMmla5tFo1GL.T-0j5vLhIt69SQUzb-IMksZrQP_JUIYk4cYyxtxvAsgNroOz24Bzb-dvYGZN379qjy"
  }

  lifecycle {
    prevent_destroy = true
    # An apply resets the capacity of global indexes to the numbers above, and autoscaling raises it again.
    # Adding global_secondary_index here would prevent that, but then no change to an index is applied.
    ignore_changes = [read_capacity, write_capacity]
  }
}

resource "aws_appautoscaling_target" "orders_read" {
  service_namespace  = "dynamodb"
  resource_id        = "table/${aws_dynamodb_table.orders.name}"
  scalable_dimension = "dynamodb:table:ReadCapacityUnits"
  min_capacity       = 5
  max_capacity       = 200
}

resource "aws_appautoscaling_policy" "orders_read" {
  name               = "orders_read"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.orders_read.service_namespace
  resource_id        = aws_appautoscaling_target.orders_read.resource_id
  scalable_dimension = aws_appautoscaling_target.orders_read.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 60

    predefined_metric_specification {
      predefined_metric_type = "DynamoDBReadCapacityUtilization"
    }
  }
}

resource "aws_appautoscaling_target" "orders_write" {
  service_namespace  = "dynamodb"
  resource_id        = "table/${aws_dynamodb_table.orders.name}"
  scalable_dimension = "dynamodb:table:WriteCapacityUnits"
  min_capacity       = 5
  max_capacity       = 200
}

resource "aws_appautoscaling_policy" "orders_write" {
  name               = "orders_write"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.orders_write.service_namespace
  resource_id        = aws_appautoscaling_target.orders_write.resource_id
  scalable_dimension = aws_appautoscaling_target.orders_write.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 60

    predefined_metric_specification {
      predefined_metric_type = "DynamoDBWriteCapacityUtilization"
    }
  }
}

resource "aws_appautoscaling_target" "orders_by_store_index_read" {
  service_namespace  = "dynamodb"
  resource_id        = "table/${aws_dynamodb_table.orders.name}/index/by_store"
  scalable_dimension = "dynamodb:index:ReadCapacityUnits"
  min_capacity       = 5
  max_capacity       = 200
}

resource "aws_appautoscaling_policy" "orders_by_store_index_read" {
  name               = "orders_by_store_index_read"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.orders_by_store_index_read.service_namespace
  resource_id        = aws_appautoscaling_target.orders_by_store_index_read.resource_id
  scalable_dimension = aws_appautoscaling_target.orders_by_store_index_read.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 60

    predefined_metric_specification {
      predefined_metric_type = "DynamoDBReadCapacityUtilization"
    }
  }
}

resource "aws_appautoscaling_target" "orders_by_store_index_write" {
  service_namespace  = "dynamodb"
  resource_id        = "table/${aws_dynamodb_table.orders.name}/index/by_store"
  scalable_dimension = "dynamodb:index:WriteCapacityUnits"
  min_capacity       = 5
  max_capacity       = 200
}

resource "aws_appautoscaling_policy" "orders_by_store_index_write" {
  name               = "orders_by_store_index_write"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.orders_by_store_index_write.service_namespace
  resource_id        = aws_appautoscaling_target.orders_by_store_index_write.resource_id
  scalable_dimension = aws_appautoscaling_target.orders_by_store_index_write.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 60

    predefined_metric_specification {
      predefined_metric_type = "DynamoDBWriteCapacityUtilization"
    }
  }
}

resource "aws_appautoscaling_target" "orders_by_status_index_read" {
  service_namespace  = "dynamodb"
  resource_id        = "table/${aws_dynamodb_table.orders.name}/index/by-status"
  scalable_dimension = "dynamodb:index:ReadCapacityUnits"
  min_capacity       = 5
  max_capacity       = 200
}

resource "aws_appautoscaling_policy" "orders_by_status_index_read" {
  name               = "orders_by_status_index_read"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.orders_by_status_index_read.service_namespace
  resource_id        = aws_appautoscaling_target.orders_by_status_index_read.resource_id
  scalable_dimension = aws_appautoscaling_target.orders_by_status_index_read.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 60

    predefined_metric_specification {
      predefined_metric_type = "DynamoDBReadCapacityUtilization"
    }
  }
}

resource "aws_appautoscaling_target" "orders_by_status_index_write" {
  service_namespace  = "dynamodb"
  resource_id        = "table/${aws_dynamodb_table.orders.name}/index/by-status"
  scalable_dimension = "dynamodb:index:WriteCapacityUnits"
  min_capacity       = 5
  max_capacity       = 200
}

resource "aws_appautoscaling_policy" "orders_by_status_index_write" {
  name               = "orders_by_status_index_write"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.orders_by_status_index_write.service_namespace
  resource_id        = aws_appautoscaling_target.orders_by_status_index_write.resource_id
  scalable_dimension = aws_appautoscaling_target.orders_by_status_index_write.scalable_dimension

  target_tracking_scaling_policy_configuration {
    target_value = 60

    predefined_metric_specification {
      predefined_metric_type = "DynamoDBWriteCapacityUtilization"
    }
  }
}

resource "aws_dynamodb_table" "store_readings" {
  name             = "${var.table_prefix}store.readings"
  billing_mode     = "PROVISIONED"
  read_capacity    = 20
  write_capacity   = 30
  hash_key         = "sensor"
  range_key        = "at"
  table_class      = "STANDARD_INFREQUENT_ACCESS"
  stream_enabled   = true
  stream_view_type = "KEYS_ONLY"

  attribute {
    name = "sensor"
    type = "N"
  }

  attribute {
    name = "at"
    type = "N"
  }

  global_secondary_index {
    name            = "by_at"
    hash_key        = "at"
    projection_type = "ALL"
    read_capacity   = 20
    write_capacity  = 7
  }

  server_side_encryption {
    enabled = true
  }

  tags = {
    "sortkey:shape" = "1.mwg7ruTyVye4.2c_BwQeWl2-vjE8t69y3qFRx379dRa"
  }
}

resource "aws_dynamodb_table" "store_readings_2" {
  name           = "${var.table_prefix}store_readings"
  billing_mode   = "PROVISIONED"
  read_capacity  = 1
  write_capacity = 1
  hash_key       = "key"

  attribute {
    name = "key"
    type = "B"
  }

  tags = {
    "sortkey:shape" = "1.IjyFycU21zzc.pM-BwQ50Bzb-Lm8TXx379k4u"
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_read_capacity" {
  alarm_name          = "${var.table_prefix}orders-read-capacity"
  alarm_description   = "Reads of orders above 80 % of 200 units a second, the maximum of autoscaling"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 48000
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
    TableName = aws_dynamodb_table.orders.name
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_read_throttles" {
  alarm_name          = "${var.table_prefix}orders-read-throttles"
  alarm_description   = "Reads of orders were throttled"
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
    TableName = aws_dynamodb_table.orders.name
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_write_capacity" {
  alarm_name          = "${var.table_prefix}orders-write-capacity"
  alarm_description   = "Writes of orders above 80 % of 200 units a second, the maximum of autoscaling"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 48000
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
    TableName = aws_dynamodb_table.orders.name
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_write_throttles" {
  alarm_name          = "${var.table_prefix}orders-write-throttles"
  alarm_description   = "Writes of orders were throttled"
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
    TableName = aws_dynamodb_table.orders.name
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_by_store_read_capacity" {
  alarm_name          = "${var.table_prefix}orders-by_store-read-capacity"
  alarm_description   = "Reads of index by_store of orders above 80 % of 200 units a second, the maximum of autoscaling"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 48000
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
    TableName                = aws_dynamodb_table.orders.name
    GlobalSecondaryIndexName = "by_store"
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_by_store_read_throttles" {
  alarm_name          = "${var.table_prefix}orders-by_store-read-throttles"
  alarm_description   = "Reads of index by_store of orders were throttled"
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
    TableName                = aws_dynamodb_table.orders.name
    GlobalSecondaryIndexName = "by_store"
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_by_store_write_capacity" {
  alarm_name          = "${var.table_prefix}orders-by_store-write-capacity"
  alarm_description   = "Writes of index by_store of orders above 80 % of 200 units a second, the maximum of autoscaling"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 48000
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
    TableName                = aws_dynamodb_table.orders.name
    GlobalSecondaryIndexName = "by_store"
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_by_store_write_throttles" {
  alarm_name          = "${var.table_prefix}orders-by_store-write-throttles"
  alarm_description   = "Writes of index by_store of orders were throttled"
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
    TableName                = aws_dynamodb_table.orders.name
    GlobalSecondaryIndexName = "by_store"
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_by_status_write_capacity" {
  alarm_name          = "${var.table_prefix}orders-by-status-write-capacity"
  alarm_description   = "Writes of index by-status of orders above 80 % of 200 units a second, the maximum of autoscaling"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 48000
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
    TableName                = aws_dynamodb_table.orders.name
    GlobalSecondaryIndexName = "by-status"
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_by_status_write_throttles" {
  alarm_name          = "${var.table_prefix}orders-by-status-write-throttles"
  alarm_description   = "Writes of index by-status of orders were throttled"
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
    TableName                = aws_dynamodb_table.orders.name
    GlobalSecondaryIndexName = "by-status"
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_system_errors" {
  alarm_name          = "${var.table_prefix}orders-system-errors"
  alarm_description   = "DynamoDB failed to answer requests to orders"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "SUM([batchgetitem, getitem, putitem, query, updateitem])"
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
        TableName = aws_dynamodb_table.orders.name
        Operation = "BatchGetItem"
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
        TableName = aws_dynamodb_table.orders.name
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
        TableName = aws_dynamodb_table.orders.name
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
        TableName = aws_dynamodb_table.orders.name
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
        TableName = aws_dynamodb_table.orders.name
        Operation = "UpdateItem"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "orders_latency" {
  alarm_name          = "${var.table_prefix}orders-latency"
  alarm_description   = "The 99th percentile of the latency of an operation on orders is too high"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.latency_p99_milliseconds
  evaluation_periods  = 5
  datapoints_to_alarm = 4
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "MAX([batchgetitem, getitem, putitem, query, updateitem])"
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
        TableName = aws_dynamodb_table.orders.name
        Operation = "BatchGetItem"
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
        TableName = aws_dynamodb_table.orders.name
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
        TableName = aws_dynamodb_table.orders.name
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
        TableName = aws_dynamodb_table.orders.name
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
        TableName = aws_dynamodb_table.orders.name
        Operation = "UpdateItem"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_read_capacity" {
  alarm_name          = "${var.table_prefix}store.readings-read-capacity"
  alarm_description   = "Reads of store.readings above 80 % of 20 units a second, provisioned"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 4800
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
    TableName = aws_dynamodb_table.store_readings.name
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_read_throttles" {
  alarm_name          = "${var.table_prefix}store.readings-read-throttles"
  alarm_description   = "Reads of store.readings were throttled"
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
    TableName = aws_dynamodb_table.store_readings.name
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_write_capacity" {
  alarm_name          = "${var.table_prefix}store.readings-write-capacity"
  alarm_description   = "Writes of store.readings above 80 % of 30 units a second, provisioned"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 7200
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
    TableName = aws_dynamodb_table.store_readings.name
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_write_throttles" {
  alarm_name          = "${var.table_prefix}store.readings-write-throttles"
  alarm_description   = "Writes of store.readings were throttled"
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
    TableName = aws_dynamodb_table.store_readings.name
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_by_at_write_capacity" {
  alarm_name          = "${var.table_prefix}store.readings-by_at-write-capacity"
  alarm_description   = "Writes of index by_at of store.readings above 80 % of 7 units a second, provisioned"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 1680
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
    TableName                = aws_dynamodb_table.store_readings.name
    GlobalSecondaryIndexName = "by_at"
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_by_at_write_throttles" {
  alarm_name          = "${var.table_prefix}store.readings-by_at-write-throttles"
  alarm_description   = "Writes of index by_at of store.readings were throttled"
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
    TableName                = aws_dynamodb_table.store_readings.name
    GlobalSecondaryIndexName = "by_at"
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_system_errors" {
  alarm_name          = "${var.table_prefix}store.readings-system-errors"
  alarm_description   = "DynamoDB failed to answer requests to store.readings"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "SUM([batchwriteitem, deleteitem, putitem, query])"
    label       = "SystemErrors"
    return_data = true
  }

  metric_query {
    id = "batchwriteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SystemErrors"
      period      = 60
      stat        = "Sum"
      dimensions = {
        TableName = aws_dynamodb_table.store_readings.name
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
        TableName = aws_dynamodb_table.store_readings.name
        Operation = "DeleteItem"
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
        TableName = aws_dynamodb_table.store_readings.name
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
        TableName = aws_dynamodb_table.store_readings.name
        Operation = "Query"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_latency" {
  alarm_name          = "${var.table_prefix}store.readings-latency"
  alarm_description   = "The 99th percentile of the latency of an operation on store.readings is too high"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.latency_p99_milliseconds
  evaluation_periods  = 5
  datapoints_to_alarm = 4
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "MAX([batchwriteitem, deleteitem, putitem, query])"
    label       = "SuccessfulRequestLatency"
    return_data = true
  }

  metric_query {
    id = "batchwriteitem"

    metric {
      namespace   = "AWS/DynamoDB"
      metric_name = "SuccessfulRequestLatency"
      period      = 60
      stat        = "p99"
      dimensions = {
        TableName = aws_dynamodb_table.store_readings.name
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
        TableName = aws_dynamodb_table.store_readings.name
        Operation = "DeleteItem"
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
        TableName = aws_dynamodb_table.store_readings.name
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
        TableName = aws_dynamodb_table.store_readings.name
        Operation = "Query"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_2_read_capacity" {
  alarm_name          = "${var.table_prefix}store_readings-read-capacity"
  alarm_description   = "Reads of store_readings above 80 % of 1 unit a second, provisioned"
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
    TableName = aws_dynamodb_table.store_readings_2.name
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_2_read_throttles" {
  alarm_name          = "${var.table_prefix}store_readings-read-throttles"
  alarm_description   = "Reads of store_readings were throttled"
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
    TableName = aws_dynamodb_table.store_readings_2.name
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_2_write_capacity" {
  alarm_name          = "${var.table_prefix}store_readings-write-capacity"
  alarm_description   = "Writes of store_readings above 80 % of 1 unit a second, provisioned"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 240
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
    TableName = aws_dynamodb_table.store_readings_2.name
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_2_write_throttles" {
  alarm_name          = "${var.table_prefix}store_readings-write-throttles"
  alarm_description   = "Writes of store_readings were throttled"
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
    TableName = aws_dynamodb_table.store_readings_2.name
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_2_system_errors" {
  alarm_name          = "${var.table_prefix}store_readings-system-errors"
  alarm_description   = "DynamoDB failed to answer requests to store_readings"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  evaluation_periods  = 1
  datapoints_to_alarm = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "SUM([batchgetitem, batchwriteitem, getitem, putitem])"
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
        TableName = aws_dynamodb_table.store_readings_2.name
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
        TableName = aws_dynamodb_table.store_readings_2.name
        Operation = "BatchWriteItem"
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
        TableName = aws_dynamodb_table.store_readings_2.name
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
        TableName = aws_dynamodb_table.store_readings_2.name
        Operation = "PutItem"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "store_readings_2_latency" {
  alarm_name          = "${var.table_prefix}store_readings-latency"
  alarm_description   = "The 99th percentile of the latency of an operation on store_readings is too high"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.latency_p99_milliseconds
  evaluation_periods  = 5
  datapoints_to_alarm = 4
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]

  metric_query {
    id          = "all"
    expression  = "MAX([batchgetitem, batchwriteitem, getitem, putitem])"
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
        TableName = aws_dynamodb_table.store_readings_2.name
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
        TableName = aws_dynamodb_table.store_readings_2.name
        Operation = "BatchWriteItem"
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
        TableName = aws_dynamodb_table.store_readings_2.name
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
        TableName = aws_dynamodb_table.store_readings_2.name
        Operation = "PutItem"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "user_errors" {
  alarm_name          = "${var.table_prefix}store-user-errors"
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

output "orders_name" {
  description = "Name of orders"
  value       = aws_dynamodb_table.orders.name
}

output "orders_arn" {
  description = "ARN of orders"
  value       = aws_dynamodb_table.orders.arn
}

output "orders_stream_arn" {
  description = "ARN of the stream of orders"
  value       = aws_dynamodb_table.orders.stream_arn
}

output "store_readings_name" {
  description = "Name of store.readings"
  value       = aws_dynamodb_table.store_readings.name
}

output "store_readings_arn" {
  description = "ARN of store.readings"
  value       = aws_dynamodb_table.store_readings.arn
}

output "store_readings_stream_arn" {
  description = "ARN of the stream of store.readings"
  value       = aws_dynamodb_table.store_readings.stream_arn
}

output "store_readings_2_name" {
  description = "Name of store_readings"
  value       = aws_dynamodb_table.store_readings_2.name
}

output "store_readings_2_arn" {
  description = "ARN of store_readings"
  value       = aws_dynamodb_table.store_readings_2.arn
}
