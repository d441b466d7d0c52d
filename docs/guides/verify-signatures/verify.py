# Checks that a webhook request comes from Homeport. Needs nothing but Python 3.
#
#   SERVICE_SIGNATURE='t=…,v1=…' WEBHOOK_SECRET='whsec_…' python3 verify.py < body.json
#
# In a server (Flask here; the others differ only in how they give the raw body):
#
#   from verify import refusal
#
#   @app.post("/hooks/homeport")
#   def receive():
#       body = request.get_data()  # The bytes as they came, before any JSON parser.
#       header = request.headers.get("Service-Signature", "")
#       reason = refusal(header, body, os.environ["WEBHOOK_SECRET"], int(time.time()))
#       if reason:
#           return reason, 400
#       handle(json.loads(body))  # Handle each event id once.
#       return "", 204
import hashlib
import hmac
import os
import re
import sys
import time

TOLERANCE_SECONDS = 300


def refusal(header, body, secret, now):
    """Returns None for a genuine request, otherwise the reason to refuse it."""
    timestamp = ""
    signatures = []
    for part in header.split(","):
        name, _, value = part.partition("=")
        if name == "t":
            timestamp = value
        if name == "v1":
            signatures.append(value)
    if not re.fullmatch("[0-9]{1,12}", timestamp) or not signatures:
        return "the signature header is malformed"
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return "the signature is too old or too new"
    message = timestamp.encode() + b"." + body
    expected = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    if not any(hmac.compare_digest(one.encode(), expected.encode()) for one in signatures):
        return "no signature matches"
    return None


if __name__ == "__main__":
    reason = refusal(
        os.environ.get("SERVICE_SIGNATURE", ""),
        sys.stdin.buffer.read(),
        os.environ.get("WEBHOOK_SECRET", ""),
        int(os.environ.get("NOW") or time.time()),
    )
    print(reason or "ok")
    sys.exit(1 if reason else 0)
