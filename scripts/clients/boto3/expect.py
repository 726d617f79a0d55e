"""Expectations: the first answer that is not the expected one ends the story."""

import time

from botocore.exceptions import ClientError

checks = 0


class Surprise(Exception):
    """An answer that DynamoDB would not have given."""

    def __init__(self, what, wanted, came):
        super().__init__(f"{what}\n     expected: {wanted}\n     came:     {came}")


def expect(what, came, wanted):
    """The answer is exactly this."""
    global checks
    checks += 1
    if came != wanted:
        raise Surprise(what, repr(wanted), repr(came))


def refused(what, code, message, client, operation, **parameters):
    """The call fails with this exception class, code and words. Returns the whole error answer."""
    try:
        getattr(client, operation)(**parameters)
    except ClientError as error:
        wanted_class = getattr(client.exceptions, code, ClientError)
        expect(f"{what}: exception class", type(error).__name__, wanted_class.__name__)
        expect(f"{what}: error code", error.response["Error"]["Code"], code)
        came = error.response["Error"]["Message"]
        if message not in came:
            raise Surprise(f"{what}: message", message, came) from None
        return error.response
    raise Surprise(what, code, "success")


def eventually(what, seconds, question, wanted):
    """The answer of question() becomes the expected one within so many seconds."""
    end = time.monotonic() + seconds
    while (came := question()) != wanted and time.monotonic() < end:
        time.sleep(0.5)
    expect(f"{what} within {seconds} s", came, wanted)
