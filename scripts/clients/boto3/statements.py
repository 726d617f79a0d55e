"""Statements of PartiQL: selects in pages, writes, what they refuse, batches, transactions."""

import shop
from expect import expect, refused
from shop import client

TABLE = "boto3-statements"


def chapter():
    shop.create(TABLE)
    writes()
    selects()
    batches()
    transactions()
    shop.delete(TABLE)
    return "inserted, updated, deleted, selected in pages and from indexes, in batches, in transactions, refused"


def run(statement, *parameters, **more):
    if parameters:
        more["Parameters"] = list(parameters)
    return client.execute_statement(Statement=statement, **more)


def writes():
    for n in ["1", "2", "3"]:
        answer = run(f"INSERT INTO \"{TABLE}\" VALUE {{'customer': ?, 'placed': ?, 'amount': ?}}", {"S": "ada"}, {"S": n}, {"N": n + "0"})
        expect("INSERT: no items", answer["Items"], [])
    refused(
        "INSERT of a key that is there", "DuplicateItemException", "Duplicate primary key exists in table",
        client, "execute_statement", Statement=f"INSERT INTO \"{TABLE}\" VALUE {{'customer': 'ada', 'placed': '1'}}",
    )
    where = "WHERE customer = 'ada' AND placed = '3'"
    updated = run(f"UPDATE \"{TABLE}\" SET amount = amount + ? SET \"status\" = 'open' {where} RETURNING MODIFIED NEW *", {"N": "5"})
    expect("UPDATE RETURNING", updated["Items"], [{"amount": {"N": "35"}, "status": {"S": "open"}}])
    answer = refused(
        "UPDATE whose condition fails", "ConditionalCheckFailedException", "The conditional request failed",
        client, "execute_statement", Statement=f'UPDATE "{TABLE}" SET amount = 0 {where} AND amount = 1',
        ReturnValuesOnConditionCheckFailure="ALL_OLD",
    )
    expect("the item that made it fail", answer["Item"]["amount"], {"N": "35"})


def selects():
    statement = f'SELECT placed FROM "{TABLE}" WHERE customer = ?'
    first = run(statement, {"S": "ada"}, Limit=2)
    expect("SELECT, the first page", first["Items"], [{"placed": {"S": "1"}}, {"placed": {"S": "2"}}])
    second = run(statement, {"S": "ada"}, NextToken=first["NextToken"])
    expect("SELECT, the second page", [second["Items"], "NextToken" in second], [[{"placed": {"S": "3"}}], False])
    refused(
        "another statement with the token", "ValidationException", "NextToken does not match request",
        client, "execute_statement", Statement=f'SELECT * FROM "{TABLE}"', NextToken=first["NextToken"],
    )
    index = run(f"SELECT customer FROM \"{TABLE}\".\"ByStatus\" WHERE \"status\" = 'open'")
    expect("SELECT from a global index", index["Items"], [{"customer": {"S": "ada"}}])


def batches():
    answer = client.batch_execute_statement(
        Statements=[
            {"Statement": f"DELETE FROM \"{TABLE}\" WHERE customer = 'ada' AND placed = '2' RETURNING ALL OLD *"},
            {"Statement": "SLECT 1"},
        ]
    )
    first, second = answer["Responses"]
    expect("a batch", [first["TableName"], first["Item"]["amount"]], [TABLE, {"N": "20"}])
    expect("an error in a batch", second["Error"]["Code"], "ValidationError")


def transactions():
    where = "WHERE customer = 'ada' AND placed ="
    exists = {"Statement": f"EXISTS(SELECT * FROM \"{TABLE}\" {where} '1' AND amount = 10)"}
    update = {"Statement": f"UPDATE \"{TABLE}\" SET amount = 0 {where} '3'"}
    expect("a transaction that writes", client.execute_transaction(TransactStatements=[exists, update])["Responses"], [])
    read = client.execute_transaction(TransactStatements=[{"Statement": f"SELECT amount FROM \"{TABLE}\" {where} '3'"}])
    expect("a transaction that reads", read["Responses"], [{"Item": {"amount": {"N": "0"}}}])
    insert = {"Statement": f"INSERT INTO \"{TABLE}\" VALUE {{'customer': 'ada', 'placed': '1'}}"}
    answer = refused(
        "a transaction with a duplicate", "TransactionCanceledException", "[DuplicateItem, None]",
        client, "execute_transaction", TransactStatements=[insert, update],
    )
    expect("its reason", answer["CancellationReasons"][0]["Code"], "DuplicateItem")
