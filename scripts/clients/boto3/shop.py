"""The clients of the story, and the table that its chapters use: orders of customers."""

import os

import boto3

# Versions before 1.28 ignore the endpoint in the environment and would call AWS.
endpoint = os.environ["AWS_ENDPOINT_URL_DYNAMODB"]
client = boto3.client("dynamodb", endpoint_url=endpoint)
resource = boto3.resource("dynamodb", endpoint_url=endpoint)
streams = boto3.client("dynamodbstreams", endpoint_url=endpoint)

SOON = {"Delay": 1, "MaxAttempts": 30}


def create(name):
    """Makes the table with both kinds of indexes and a stream, and waits for it. Returns CreateTable's answer."""
    answer = client.create_table(
        TableName=name,
        KeySchema=keys("customer", "placed"),
        AttributeDefinitions=[
            {"AttributeName": "customer", "AttributeType": "S"},
            {"AttributeName": "placed", "AttributeType": "S"},
            {"AttributeName": "status", "AttributeType": "S"},
            {"AttributeName": "amount", "AttributeType": "N"},
        ],
        LocalSecondaryIndexes=[
            {
                "IndexName": "ByAmount",
                "KeySchema": keys("customer", "amount"),
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]},
            }
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "ByStatus",
                "KeySchema": keys("status", "placed"),
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        BillingMode="PAY_PER_REQUEST",
        Tags=[{"Key": "team", "Value": "shop"}],
    )
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=SOON)
    return answer["TableDescription"]


def delete(name):
    """Deletes the table and waits until it is gone. Returns DeleteTable's answer."""
    answer = client.delete_table(TableName=name)
    client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig=SOON)
    return answer["TableDescription"]


def keys(partition, sort=None):
    """A key schema."""
    schema = [{"AttributeName": partition, "KeyType": "HASH"}]
    if sort:
        schema.append({"AttributeName": sort, "KeyType": "RANGE"})
    return schema


def order(customer, placed, **attributes):
    """An order as the client API writes it; attributes are given with their types."""
    return {"customer": {"S": customer}, "placed": {"S": placed}, **attributes}
