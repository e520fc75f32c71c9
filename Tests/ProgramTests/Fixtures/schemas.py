"""Holds what pfctl and the daemon wrote against the schemas that pfctl prints.

schemas.py PFCTL FOLDER: each file of FOLDER is one JSON document, a `.line` file one a line, and an `.event` a CloudEvent
whose data is meant. Prints the name of each schema that was used; what does not fit goes to standard error, and exits with 1.
"""

import copy
import json
import os
import subprocess
import sys

from jsonschema import Draft202012Validator

pfctl, folder = sys.argv[1:]
schemas = {}
wrong = []


def schema(name):
    if name not in schemas:
        text = subprocess.run([pfctl, "help", "schema", name], check=True, capture_output=True, text=True).stdout
        shipped = json.loads(text)
        Draft202012Validator.check_schema(shipped)
        # A field that the schema does not know is one that was forgotten: what is shipped allows it for newer versions.
        closed = json.loads(text.replace('"additionalProperties": true', '"additionalProperties": false'))
        schemas[name] = (Draft202012Validator(shipped), Draft202012Validator(closed))
    return schemas[name]


def check(place, name, value):
    shipped, closed = schema(name)
    for error in list(shipped.iter_errors(value)) + list(closed.iter_errors(value)):
        wrong.append(f"{place}: {name} at {error.json_path}: {error.message[:300]}")
    # A schema that takes anything proves nothing.
    for field in shipped.schema["required"]:
        without = {key: one for key, one in value.items() if key != field}
        if shipped.is_valid(without):
            wrong.append(f"{place}: {name} is content without {field}")
        other = copy.copy(value)
        other[field] = {"no": "such thing"}
        if shipped.is_valid(other) and not isinstance(value[field], dict):
            wrong.append(f"{place}: {name} takes anything for {field}")


for file in sorted(os.listdir(folder)):
    with open(os.path.join(folder, file), encoding="utf-8") as opened:
        text = opened.read()
    if file.endswith(".line"):
        values = [json.loads(line) for line in text.splitlines()]
    else:
        values = [json.loads(text)]
    for value in values:
        if file.endswith(".event"):
            kind = value["type"]
            if kind.startswith("org.poolflow.reminder-"):
                kind = "org.poolflow.reminder"
            check(file, kind + "/1", value["data"])
        else:
            check(file, value["schema"], value)

print("\n".join(sorted(schemas)))
print("\n".join(wrong), file=sys.stderr)
sys.exit(1 if wrong else 0)
