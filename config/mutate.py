#!/usr/bin/env python3
"""Mutation testing: changes one decision at a time, such as a `<` to `<=`, and runs the tests that should fail because of it.

  config/mutate.py [MODULE|FILE...]   tests all modules, or only the named ones; a file is named by its path
  config/mutate.py --modules          lists the modules
  config/mutate.py --report           prints the results so far by file, with the mutants that no test noticed
  config/mutate.py --again [...]      tests the unnoticed mutants again, after tests were added
  config/mutate.py --fresh            deletes the results so far

  --since REV    only mutants on lines that differ from REV: run this before a commit that changes decisions
  --minutes N    starts no further mutant after N minutes; the next run continues with the rest
  --seed N       seed for the order of the mutants
  --patient      also runs suites that take longer than 12 seconds

One build contains all mutants. It is made in .build-mutants from a copy of the tree in which each changed place compares its
number with POOLFLOW_MUTANT. A mutant therefore costs one run of the tests that reach its place, and no build. Places where the
changed code does not compile are left unchanged and not counted. A mutant that survives means either a missing test or a
change that makes no difference: a person decides.
"""

import concurrent.futures
import functools
import hashlib
import json
import mmap
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

root = pathlib.Path(__file__).resolve().parent.parent
scratch = root / ".build-mutants"
tree = scratch / "tree"
kept = scratch / "verdicts.tsv"

# The modules that make decisions: the files of each, and the tests that should notice a change.
engine, pools = "Sources/Engine", "Sources/Pools"
modules = {
    "calendar": (
        [f"{engine}/FlowCalendar/{name}.swift" for name in (
            "RuleMatcher", "RuleMatcher+Dates", "CompiledRule", "RunPlanner", "CalendarField", "CalendarParts",
            "Repetition", "ExcludedDays", "SlotMove", "Occurrence", "OccurrenceSequence", "Schedule", "DaysOff")],
        ["FlowCalendarTests", "FlowSchedulerTests"]),
    "jobs": ([f"{pools}/PoolJobs"], ["PoolDigestsTests", "FlowSchedulerTests"]),
    "scheduler": (
        [f"{engine}/FlowScheduler/{name}.swift" for name in (
            "SchedulerState", "DueQueue", "DowntimeDetector", "PlannedJob")],
        ["FlowSchedulerTests", "FlowSimulationTests"]),
    "lanes": (
        [f"{engine}/FlowDelivery/Lanes/{name}.swift" for name in ("LaneState", "SinkRateLimiter", "RetryPolicy")],
        ["FlowDeliveryTests"]),
    "drop": (
        [f"{engine}/FlowDelivery/FileDrop/{name}.swift" for name in ("DropFolder", "FileDropSink")],
        ["FlowDeliveryTests"]),
    "ledger": (
        [f"{engine}/FlowStore/{name}.swift" for name in (
            "LedgerQueries", "Store+Ledger", "Store+Attempts", "Store+Outbox", "Store+OutboxRepair", "Store+Holds",
            "Store+Clock")],
        ["FlowStoreTests", "FlowSchedulerTests", "FlowSimulationTests"]),
    "nodes": (
        [f"{engine}/FlowNodes/PartitionAssignor.swift", f"{engine}/FlowModel/PartitionSet.swift"],
        ["FlowNodesTests", "FlowModelTests"]),
}


class Site:
    """A place in a file: its code, and the replacements for it."""

    def __init__(self, file, kind, start, end, was, changes, line):
        self.file, self.kind, self.start, self.end, self.was = file, kind, start, end, was
        self.changes, self.line, self.base, self.off = changes, line, 0, False
        self.below = [0] * len(changes)

    def line_of(self, index):
        return self.line + self.below[index]


class Mutant:
    def __init__(self, site, index, text, ordinal):
        self.site, self.index, self.change = site, index, site.changes[index]
        self.line, self.text, self.ordinal = site.line_of(index), text, ordinal
        seen = "\t".join([str(site.file), text, self.change, str(ordinal)])
        self.key = hashlib.sha256(seen.encode()).hexdigest()[:16]

    @property
    def number(self):
        return self.site.base + self.index

    def __str__(self):
        return f"{self.site.file}:{self.line}: {self.change}    {self.text}"


# MARK: Reading Swift

token = re.compile(
    r"(?P<space>\s+)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>#*\"(?:\"\")?)"
    r"|(?P<number>0x[0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?)|(?P<word>[A-Za-z_$`@#][A-Za-z0-9_`]*)"
    r"|(?P<operator>[-/=+!*%<>&|^~?.]+)|(?P<other>.)", re.S)


def text_end(source, start, opening):
    """The end of the string literal that begins at `start`, with its interpolations."""
    hashes = opening.count("#")
    closing = opening.lstrip("#") + "#" * hashes
    escape = "\\" + "#" * hashes
    place = start + len(opening)
    while not source.startswith(closing, place):
        if source.startswith(escape + "(", place):
            place = parenthesis_end(source, place + len(escape))
        elif source.startswith(escape, place):
            place += len(escape) + 1
        else:
            place += 1
    return place + len(closing)


def parenthesis_end(source, start):
    depth, place = 0, start
    while True:
        match = token.match(source, place)
        if match.lastgroup == "text":
            place = text_end(source, place, match.group())
            continue
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        place = match.end()
        if depth == 0:
            return place


def tokens_of(source):
    tokens, place = [], 0
    while place < len(source):
        match = token.match(source, place)
        end = text_end(source, place, match.group()) if match.lastgroup == "text" else match.end()
        if match.lastgroup not in ("space", "comment"):
            tokens.append((match.lastgroup, source[place:end], place, end))
        place = end
    return tokens


binary = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"],
    "&+": ["&-"], "&-": ["&+"], "&*": ["&+"], "&": ["|"], "|": ["&"], "<<": [">>"], ">>": ["<<"],
    "&<<": ["&>>"], "&>>": ["&<<"], "+=": ["-="], "-=": ["+="],
}
precedence = {
    **{sign: "ComparisonPrecedence" for sign in ("<", "<=", ">", ">=", "==", "!=")},
    "&&": "LogicalConjunctionPrecedence", "||": "LogicalDisjunctionPrecedence",
    **{sign: "AdditionPrecedence" for sign in ("+", "-", "&+", "&-", "|")},
    **{sign: "MultiplicationPrecedence" for sign in ("*", "/", "%", "&*", "&")},
    **{sign: "BitwiseShiftPrecedence" for sign in ("<<", ">>", "&<<", "&>>")},
    "+=": "AssignmentPrecedence", "-=": "AssignmentPrecedence",
}


def sites_of(file, source):
    tokens = tokens_of(source)
    sites = []

    def add(kind, start, end, changes):
        sites.append(Site(file, kind, start, end, source[start:end], changes, source.count("\n", 0, start) + 1))

    inside_case, depth = None, 0
    for i, (group, word, start, end) in enumerate(tokens):
        before = tokens[i - 1] if i else ("other", "", 0, 0)
        after = tokens[i + 1] if i + 1 < len(tokens) else ("other", "", end, end)
        glued = before[3] == start
        if word in "([{":
            depth += 1
        elif word in ")]}":
            depth -= 1
        # A pattern takes no calls.
        if group == "word" and word == "case":
            inside_case = depth
        elif inside_case is not None and depth <= inside_case and (word in (":", "=", "where") or depth < inside_case):
            inside_case = None
        if group == "operator":
            spaced = source[start - 1].isspace() and source[end].isspace()
            if spaced and word in binary and before[1] not in ("operator", "func"):
                sites.append(Site(file, "binary", start, end, word, [f"{word} -> {other}" for other in binary[word]],
                                  source.count("\n", 0, start) + 1))
            elif word == "!" and not spaced and not (glued and before[0] in ("word", "number")) \
                    and (after[0] == "word" or after[1] == "("):
                add("not", start, end, ["! -> nothing"])
        elif group == "number" and inside_case is None and "." not in word and "x" not in word:
            if glued and before[1].endswith(".") and before[1] not in ("...", "..<"):
                continue
            value = int(word.replace("_", ""))
            add("number", start, end, [f"{value} -> {value + 1}"] + ([f"{value} -> {value - 1}"] if value else []))
        elif group == "word" and word in ("true", "false") and inside_case is None and before[1] != "while":
            add("truth", start, end, [f"{word} -> {'false' if word == 'true' else 'true'}"])
        elif group == "word" and word in ("min", "max") and after[1] == "(" and not (glued and before[1].endswith(".")) \
                and before[1] != "func":
            add("extreme", start, end, [f"{word} -> {'max' if word == 'min' else 'min'}"])
        elif group == "word" and word in ("guard", "if", "while") and not (glued and before[1].endswith(".")):
            clauses(tokens, i, source, add)
        elif group == "text" and re.search(r"\b(SELECT|UPDATE|INSERT|DELETE|WHERE|FROM)\b", word):
            changes = list(statements(word))
            if changes:
                site = Site(file, "statement", start, end, word, [change for change, _, _ in changes],
                            source.count("\n", 0, start) + 1)
                site.variants = [changed for _, changed, _ in changes]
                site.below = [below for _, _, below in changes]
                sites.append(site)
    return sites


def clauses(tokens, i, source, add):
    """The conditions of a guard, an if or a while: one of a guard is dropped, one without an operator is negated."""
    keyword = tokens[i][1]
    depth, first = 0, i + 1
    for j in range(i + 1, len(tokens)):
        _, word, start, _ = tokens[j]
        if depth == 0 and (word == "," or word == ("else" if keyword == "guard" else "{")):
            clause = tokens[first:j]
            if clause and clause[0][1] not in ("let", "var", "case", "_") and not clause[0][1].startswith("#"):
                plain = all(part[1] not in binary and part[1] not in ("!", "true", "false") for part in clause)
                shown = " ".join(source[clause[0][2]:clause[-1][3]].split())
                changes = ([f"guard {shown} -> dropped"] if keyword == "guard" else []) + (
                    [f"{shown} -> not so"] if plain else [])
                if changes:
                    add("clause", clause[0][2], clause[-1][3], changes)
            first = j + 1
            if word != ",":
                return
        elif word in ("(", "[", "{"):
            depth += 1
        elif word in (")", "]", "}"):
            depth -= 1
            if depth < 0:
                return


# MARK: Reading SQL

def statements(literal):
    """Each change of the SQL in a string literal, with the changed literal."""
    piece = re.compile(
        r"\\\((?:[^()]|\([^()]*\))*\)|'(?:[^'\n]|'')*'|\?[0-9]*|[A-Za-z_][A-Za-z0-9_.]*|[0-9]+|<>|<=|>=|\|\||[=<>]|\s+|.", re.S)
    found = [(match.group(), match.start(), match.end()) for match in piece.finditer(literal)]
    solid = [part for part in found if not part[0].isspace()]
    asks, cases, between = False, [], False
    for k, (word, start, end) in enumerate(solid):
        before = solid[k - 1][0] if k else ""
        after = solid[k + 1][0] if k + 1 < len(solid) else ""

        def changed(to, upto=end):
            return (f"{literal[start:upto]} -> {to or 'nothing'}", literal[:start] + to + literal[upto:],
                    literal.count("\n", 0, start))

        if word in ("WHERE", "ON", "HAVING"):
            asks = True
        elif word == "SET":
            asks = False
        elif word == "CASE":
            cases.append(asks)
            asks = True
        elif word == "END" and cases:
            asks = cases.pop()
        elif word == "BETWEEN":
            between = True
        elif word in ("AND", "OR"):
            if between and word == "AND":
                between = False
            else:
                yield changed("OR" if word == "AND" else "AND")
        elif word in ("<", "<=", ">", ">=", "<>") or word == "=" and asks:
            yield changed({"<": "<=", "<=": "<", ">": ">=", ">=": ">", "<>": "=", "=": "<>"}[word])
        elif word.isdigit():
            yield changed(str(int(word) + 1))
        elif word == "IS" and after in ("NULL", "NOT"):
            if after == "NULL":
                yield changed("IS NOT NULL", solid[k + 1][2])
            elif k + 2 < len(solid) and solid[k + 2][0] == "NULL":
                yield changed("IS NULL", solid[k + 2][2])
        elif word == "NOT" and after in ("IN", "GLOB", "EXISTS"):
            yield changed("")
        elif word in ("DESC",):
            yield changed("ASC")
        elif before == "BY" and k > 1 and solid[k - 2][0] == "ORDER" and after != "DESC":
            yield changed(f"{word} DESC")
        elif word in ("max", "min"):
            yield changed("min" if word == "max" else "max")
        elif len(word) > 2 and word[0] == "'" and "*" not in word and "?" not in word and re.fullmatch(r"'[a-z-]+'", word):
            yield changed(word[:-1] + "x'")


# MARK: Writing

digits = "─│┌┐└┘├┤┬┴┼═║╔╗╚"


def sign_of(base):
    return "⊕" + "".join(digits[int(digit, 16)] for digit in f"{base:x}")


def written(source, sites):
    """The source with a mutant check at each place, and for each line of it the places on that line."""
    begins, ends, replaced = {}, {}, {}
    for site in sites:
        if site.off:
            continue
        if site.kind == "clause":
            begins.setdefault(site.start, []).append((f"mutant{site.base}(", site))
            ends.setdefault(site.end, []).append((")", site))
        elif site.kind in ("binary", "not"):
            replaced[site.start] = (site, sign_of(site.base))
        elif site.kind == "extreme":
            replaced[site.start] = (site, f"mutant{site.base}")
        elif site.kind == "statement":
            texts = [site.was] + site.variants
            indent = "\n" + " " * 4
            replaced[site.start] = (site, f"mutant{site.base}([" + ",".join(indent + text for text in texts) + "\n])")
        else:
            replaced[site.start] = (site, f"mutant{site.base}({site.was})")
    out, place, line, lines = [], 0, 1, {}

    def emit(text, site=None):
        nonlocal line
        if site:
            for number in range(line, line + text.count("\n") + 1):
                lines.setdefault(number, []).append(site)
        out.append(text)
        line += text.count("\n")

    for mark in sorted({*begins, *ends, *replaced}):
        emit(source[place:mark])
        place = mark
        for text, site in ends.get(mark, []) + begins.get(mark, []):
            emit(text, site)
        if mark in replaced:
            site, text = replaced[mark]
            emit(text, site)
            place = site.end
    emit(source[place:])
    return "".join(out), lines


def functions(sites):
    """The functions that the mutant checks call."""
    yield "import CMutants\n"
    for site in sites:
        if site.off:
            continue
        base, count = site.base, len(site.changes)
        ask = f"poolflow_mutant({base}, {count})"
        name = f"mutant{base}"
        if site.kind == "binary":
            sign, others = sign_of(base), binary[site.was]
            yield f"infix operator {sign}: {precedence[site.was]}\n"

            def choice(left="a", right="b"):
                cases = "".join(f" case {n}: return {left} {other} {right};" for n, other in enumerate(others, 1))
                return f"{{ switch {ask} {{{cases} default: return {left} {site.was} {right} }} }}\n"

            head = f"@inline(__always) package func {sign}"
            if precedence[site.was] == "ComparisonPrecedence":
                form = "Equatable" if site.was in ("==", "!=") else "Comparable"
                yield f"{head}<T: {form}>(a: T, b: T) -> Bool {choice()}"
                yield f"@_disfavoredOverload {head}<A: BinaryInteger, B: BinaryInteger>(a: A, b: B) -> Bool {choice()}"
                for n in (2, 3):
                    names = [f"T{k}" for k in range(n)]
                    tuple_ = "(" + ", ".join(names) + ")"
                    yield (f"{head}<{', '.join(f'{one}: {form}' for one in names)}>(a: {tuple_}, b: {tuple_}) -> Bool "
                           + choice())
                if form == "Equatable":
                    yield f"@_disfavoredOverload {head}<T>(a: T?, b: _OptionalNilComparisonType) -> Bool {choice()}"
                    yield f"@_disfavoredOverload {head}<A: StringProtocol, B: StringProtocol>(a: A, b: B) -> Bool {choice()}"
            elif site.was in ("&&", "||"):
                yield f"{head}(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {choice('a', 'b()').replace('return a', 'return try a')}"
            elif site.was in ("+=", "-="):
                yield f"{head}<T: AdditiveArithmetic>(a: inout T, b: T) {choice().replace('return ', '')}"
            elif site.was in ("+", "-"):
                yield f"{head}<T: AdditiveArithmetic>(a: T, b: T) -> T {choice()}"
            elif site.was == "*":
                yield f"{head}<T: Numeric>(a: T, b: T) -> T {choice()}"
            elif site.was in ("/", "%"):
                yield f"{head}<T: BinaryInteger>(a: T, b: T) -> T {choice()}"
            elif site.was in ("&", "|"):
                yield f"{head}<T: BinaryInteger>(a: T, b: T) -> T {choice()}"
            elif site.was in ("<<", ">>"):
                yield f"{head}<T: FixedWidthInteger, N: BinaryInteger>(a: T, b: N) -> T {choice()}"
            else:
                yield f"{head}<T: FixedWidthInteger>(a: T, b: T) -> T {choice()}"
        elif site.kind == "not":
            yield f"prefix operator {sign_of(base)}\n"
            yield f"package prefix func {sign_of(base)}(a: Bool) -> Bool {{ {ask} == 0 ? !a : a }}\n"
        elif site.kind == "number":
            down = f" case 2: return v - 1;" if count > 1 else ""
            yield (f"package func {name}<T: AdditiveArithmetic & ExpressibleByIntegerLiteral>(_ v: T) -> T "
                   f"{{ switch {ask} {{ case 1: return v + 1;{down} default: return v }} }}\n")
        elif site.kind == "truth":
            yield f"package func {name}(_ v: Bool) -> Bool {{ {ask} == 0 ? v : !v }}\n"
        elif site.kind == "clause":
            cases = "".join(
                f" case {n}: return {'true' if change.endswith('dropped') else '!v'};"
                for n, change in enumerate(site.changes, 1))
            yield f"package func {name}(_ v: Bool) -> Bool {{ switch {ask} {{{cases} default: return v }} }}\n"
        elif site.kind == "extreme":
            other = "min" if site.was == "max" else "max"
            for parameters, values in (("_ a: T, _ b: T", "a, b"), ("_ a: T, _ b: T, _ c: T", "a, b, c")):
                yield (f"package func {name}<T: Comparable>({parameters}) -> T "
                       f"{{ {ask} == 0 ? Swift.{site.was}({values}) : Swift.{other}({values}) }}\n")
        elif site.kind == "statement":
            yield f"package func {name}(_ texts: [String]) -> String {{ texts[Int({ask})] }}\n"


def wanted_files(names):
    chosen = []
    for name in names or modules:
        if name in modules:
            chosen += [found for path in modules[name][0] for found in (
                sorted((root / path).rglob("*.swift")) if (root / path).is_dir() else [root / path])]
        elif (root / name).is_file():
            chosen.append(root / name)
        else:
            sys.exit(f"mutate.py: {name} is neither a module nor a file; --modules lists the modules")
    return [path.relative_to(root) for path in dict.fromkeys(chosen)]


def module_of(file):
    return pathlib.Path(*file.parts[:3])


class Copy:
    """The copy of the tree that contains all mutants."""

    def __init__(self, files):
        self.files = files
        self.sources = {file: (root / file).read_text() for file in files}
        self.sites = {file: sites_of(file, source) for file, source in self.sources.items()}
        number = 1
        for file in files:
            for site in self.sites[file]:
                site.base = number
                number += len(site.changes)
        self.count = number
        self.lines = {}
        self.asked = set(files)

    def write(self):
        tree.mkdir(parents=True, exist_ok=True)
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                cwd=root, capture_output=True, check=True).stdout.decode().split("\0")
        mutated = set(self.files)
        present = set()
        for name in filter(None, listed):
            path = pathlib.Path(name)
            present.add(path)
            if path in mutated or not (root / path).exists():
                continue
            data = (root / path).read_bytes()
            if name == "Package.swift":
                data = self.package(data.decode()).encode()
            self.put(path, data, mode=(root / path).stat().st_mode)
        for path in tree.rglob("*.swift"):
            relative = path.relative_to(tree)
            if ".build" not in relative.parts and relative not in present and relative.name != "Mutants.swift":
                path.unlink()
        modules = {}
        for file in self.files:
            text, self.lines[file] = written(self.sources[file], self.sites[file])
            self.put(file, text.encode())
            modules.setdefault(module_of(file), []).extend(self.sites[file])
        for module, sites in modules.items():
            self.put(module / "Mutants.swift", "".join(functions(sites)).encode())
        for path in tree.rglob("Mutants.swift"):
            if path.parent.relative_to(tree) not in modules:
                path.unlink()
        folder = pathlib.Path("Sources/CModules/CMutants")
        self.put(folder / "include/CMutants.h", b"""#pragma once
extern int poolflow_mutant_now;
extern unsigned char *poolflow_mutant_seen;
/* 0 where all is as it was written, else which of the changes of this place holds. */
static inline int poolflow_mutant(int base, int count) {
  poolflow_mutant_seen[base] = 1;
  int at = poolflow_mutant_now - base;
  return at >= 0 && at < count ? at + 1 : 0;
}
""")
        self.put(folder / "CMutants.c", b"""#include "CMutants.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
static unsigned char nowhere[1 << 20];
int poolflow_mutant_now = -1;
unsigned char *poolflow_mutant_seen = nowhere;
__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("POOLFLOW_MUTANT"), *path = getenv("POOLFLOW_MUTANT_SEEN");
  if (number) poolflow_mutant_now = atoi(number);
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *bytes = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes != MAP_FAILED) poolflow_mutant_seen = bytes;
}
""")

    def put(self, path, data, mode=0o644):
        """Writes a file only if it differs, because the build compares the times of files."""
        target = tree / path
        if target.exists() and target.read_bytes() == data:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(mode & 0o777)

    def package(self, text):
        text = text.replace("    .treatAllWarnings(as: .error),\n", "").replace(" + [.strictMemorySafety()]", "")
        for folder in ("Engine", "Pools", "Stables"):
            path = f"path: \"Sources/{folder}/\\(name)\""
            text = text.replace(f"dependencies: dependencies, {path}", f"dependencies: dependencies + [\"CMutants\"], {path}")
        return text.replace("    .target(name: \"CLinux\"", "    .target(name: \"CMutants\", path: \"Sources/CModules/CMutants\"),\n    .target(name: \"CLinux\"", 1)

    def build(self, targets):
        """Builds; switches off places that do not compile, and repeats until the copy builds."""
        environment = {**os.environ, "POOLFLOW_TEST_TARGETS": " ".join(targets)}
        refused = scratch / "refused.tsv"
        known = set(refused.read_text().split("\n")) if refused.exists() else set()
        for file in self.files:
            for site, identity in self.identities(file):
                site.off = identity in known
        for _ in range(40):
            self.write()
            begin = time.monotonic()
            result = subprocess.run(["nice", "-n", "10", "swift", "build", "--build-tests"], cwd=tree, env=environment,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            (scratch / "build.log").write_text(result.stdout)
            if result.returncode == 0:
                say(f"built in {time.monotonic() - begin:.0f} s")
                return
            errors = set(re.findall(r"^(?:/[^\n:]*/tree/)?([^\n:]+\.swift):(\d+):\d+: error: ", result.stdout, re.M))
            dropped = 0
            for name, line in errors:
                file = pathlib.Path(name)
                if file not in self.lines:
                    continue
                dropped += self.give_up(file, int(line))
            if not dropped:
                print(result.stdout[-4_000:])
                sys.exit("mutate.py: the copy does not build, and no mutant is the reason; see .build-mutants/build.log")
            for file in self.files:
                for site, identity in self.identities(file):
                    if site.off:
                        known.add(identity)
            refused.write_text("\n".join(sorted(known)))
            say(f"{dropped} places do not compile with their changes and are left out")
        sys.exit("mutate.py: the copy does not build")

    def identities(self, file):
        counts = {}
        for site in self.sites[file]:
            text = line_of(self.sources[file], site.line)
            key = f"{file}\t{text}\t{site.kind}\t{site.was if site.kind != 'statement' else ''}"
            counts[key] = counts.get(key, 0) + 1
            yield site, f"{key}\t{counts[key]}".replace("\n", " ")

    def give_up(self, file, line):
        """Switches off the places on that line or on the nearest one below: an error is reported where its expression begins."""
        lines = self.lines[file]
        for near in (0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3):
            found = [site for site in lines.get(line + near, []) if not site.off]
            if found:
                for site in found:
                    site.off = True
                return len(found)
        return 0

    def mutants(self):
        for file in self.files:
            if file not in self.asked:
                continue
            ordinals = {}
            for site in self.sites[file]:
                if site.off:
                    continue
                for index, change in enumerate(site.changes):
                    text = line_of(self.sources[file], site.line_of(index))
                    ordinals[text, change] = ordinals.get((text, change), 0) + 1
                    yield Mutant(site, index, text, ordinals[text, change])


def line_of(source, number):
    return source.split("\n")[number - 1].strip()


# MARK: Running

def say(text):
    print(time.strftime("%H:%M:%S", time.gmtime()), text, flush=True)


class Asker:
    def __init__(self, count, patience):
        self.patience = patience
        self.program = tree / ".build/debug/poolflowPackageTests.xctest"
        self.count = count
        self.suites = {}
        self.running = set()
        self.lock = threading.Lock()

    def run(self, suites, limit, number=None, seen=None):
        """- Returns: passed, failed or late; the seconds; and the reason."""
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "POOLFLOW_SIMULATION_SECONDS": "1", "POOLFLOW_CALENDAR_TRIPLES": "800",
                       "POOLFLOW_SEED": "1"}
        if number is not None:
            environment["POOLFLOW_MUTANT"] = str(number)
        if seen:
            environment["POOLFLOW_MUTANT_SEEN"] = str(seen)
        pattern = "^(" + "|".join(re.escape(suite) for suite in suites) + ")/"
        begin = time.monotonic()
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "nice", "-n", "10", str(self.program), "--testing-library", "swift-testing", "--filter", pattern],
            cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            start_new_session=True)
        late = threading.Event()

        def end():
            late.set()
            stop(process)

        timer = threading.Timer(limit, end)
        timer.start()
        verdict, why, passed = "failed", "", False
        try:
            for line in process.stdout:
                if "✘" in line or "recorded an issue" in line:
                    why = line.strip()
                    break
                if "Test run with" in line and "passed" in line:
                    passed = True
        finally:
            timer.cancel()
            stop(process)
        process.wait()
        if late.is_set():
            verdict = "late"
        elif passed and not why:
            verdict = "passed"
        return verdict, time.monotonic() - begin, why or f"ended with {process.returncode}"

    def learn(self):
        """Measures how long each suite takes and which places it reaches; reused until the suite or the sources change."""
        learned = scratch / "suites.json"
        known = json.loads(learned.read_text()) if learned.exists() else {}
        listed = subprocess.run([str(self.program), "--testing-library", "swift-testing", "--list-tests"], cwd=tree,
                                capture_output=True, text=True).stdout
        suites = sorted({line.split("/")[0] for line in listed.split("\n") if "/" in line})
        digests = {suite: digest_of(suite) for suite in suites}
        for suite in suites:
            if known.get(suite, {}).get("digest") == digests[suite]:
                self.suites[suite] = (known[suite]["seconds"], set(known[suite]["places"]))

        def one(suite):
            seen = scratch / f"seen-{threading.get_ident()}"
            with open(seen, "wb") as file:
                file.truncate(1 << 20)
            verdict, seconds, why = self.run([suite], 600, seen=seen)
            with open(seen, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as bytes_:
                places = {number for number in range(self.count) if bytes_[number]}
            if verdict != "passed":
                say(f"{suite} is left out, because it fails without any change: {why}")
                return
            with self.lock:
                self.suites[suite] = (seconds, places)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(one, [suite for suite in suites if suite not in self.suites]))
        learned.write_text(json.dumps({
            suite: {"digest": digests[suite], "seconds": seconds, "places": sorted(places)}
            for suite, (seconds, places) in self.suites.items()}))

    def ask(self, mutant):
        """- Returns: the verdict, and the output of the test that noticed the mutant."""
        able = sorted((seconds, suite) for suite, (seconds, places) in self.suites.items()
                      if mutant.site.base in places and seconds <= self.patience)
        if not able:
            return "unreached", "-"
        # Run the quick suites together first: they notice most mutants. Slow suites run one by one.
        quick = [suite for seconds, suite in able if seconds < 2][:12]
        groups = ([quick] if quick else []) + [[suite] for _, suite in able if suite not in quick]
        for group in groups:
            usual = sum(self.suites[suite][0] for suite in group)
            verdict, _, why = self.run(group, 20 + usual * 5, number=mutant.number)
            if verdict != "passed":
                return "killed", why[:160] if verdict == "failed" else "it does not end"
        return "survived", "-"


def digest_of(suite):
    """A digest of the sources, the shared test code and the suite's own file."""
    module, name = suite.split(".", 1)
    declared = re.compile(r"\b(struct|class|actor|enum|extension) " + re.escape(name.split(".")[-1]) + r"\b")
    digest = hashlib.sha256(sources_digest())
    for path in sorted((tree / "Tests" / module).rglob("*.swift")):
        text = path.read_text()
        if declared.search(text) or not path.stem.endswith("Tests"):
            digest.update(text.encode())
    return digest.hexdigest()


@functools.cache
def sources_digest():
    digest = hashlib.sha256()
    for folder in ("Sources", "Tests/FlowTestKit", "Tests/FlowDeliveryKit"):
        for path in sorted((tree / folder).rglob("*.swift")):
            digest.update(path.read_bytes())
    return digest.digest()


def stop(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def verdicts():
    if not kept.exists():
        return {}
    rows = (line.split("\t") for line in kept.read_text().split("\n") if line)
    return {row[0]: row for row in rows}


def changed_lines(file, revision):
    """Numbers of the lines of `file` that differ from `revision`."""
    hunks = subprocess.run(["git", "-C", root, "diff", "-U0", revision, "--", file], capture_output=True, text=True, check=True).stdout
    lines = set()
    for start, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", hunks, re.MULTILINE):
        lines.update(range(int(start), int(start) + int(count or 1)))
    return lines


def report(copy):
    known = verdicts()
    total, left = {}, []
    for mutant in copy.mutants():
        counts = total.setdefault(str(mutant.site.file), dict.fromkeys(("killed", "survived", "unreached", "open"), 0))
        asked = known.get(mutant.key)
        verdict = asked[1] if asked else "open"
        counts[verdict] += 1
        if verdict in ("survived", "unreached"):
            left.append((verdict, mutant))
    print(f"{'file':58} {'made':>5} {'killed':>6} {'alive':>5} {'unseen':>6} {'open':>5}   noticed")
    sums = dict.fromkeys(("killed", "survived", "unreached", "open"), 0)
    for file, counts in total.items():
        for word in sums:
            sums[word] += counts[word]
        row(file, counts)
    row("all", sums)
    for verdict, mutant in left:
        print(f"{verdict}: {mutant}")
    asked = sums["killed"] + sums["survived"] + sums["unreached"]
    print(f"{sums['killed']} of {asked} mutants were noticed")


def row(name, counts):
    asked = counts["killed"] + counts["survived"] + counts["unreached"]
    share = f"{100 * counts['killed'] / asked:.0f} %" if asked else "-"
    print(f"{name:58} {sum(counts.values()):5} {counts['killed']:6} {counts['survived']:5} {counts['unreached']:6} "
          f"{counts['open']:5}   {share}")


def main():
    words = sys.argv[1:]
    options = {"--minutes": None, "--seed": None, "--since": None}
    for name in options:
        if name in words:
            index = words.index(name)
            if index + 1 == len(words):
                sys.exit(f"mutate.py: {name} needs a value")
            options[name] = words[index + 1] if name == "--since" else float(words[index + 1])
            del words[index:index + 2]
    flags = {word for word in words if word.startswith("--")}
    names = [word for word in words if not word.startswith("--")]
    if flags - {"--modules", "--report", "--again", "--fresh", "--list", "--patient"}:
        sys.exit(__doc__)
    if "--modules" in flags:
        for name, (paths, tests) in modules.items():
            print(f"{name:10} {' '.join(pathlib.Path(path).name for path in paths)}, tested by {' '.join(tests)}")
        return
    if "--fresh" in flags:
        kept.unlink(missing_ok=True)
        return
    files = set(wanted_files(names))
    # Always copies all modules, so that one build serves every choice of files.
    copy = Copy(list(dict.fromkeys(wanted_files([]) + wanted_files(names))))
    copy.asked = files
    if "--list" in flags:
        for mutant in copy.mutants():
            print(mutant)
        return
    scratch.mkdir(exist_ok=True)
    if "--report" in flags:
        refused = scratch / "refused.tsv"
        known = set(refused.read_text().split("\n")) if refused.exists() else set()
        for file in copy.files:
            for site, identity in copy.identities(file):
                site.off = identity in known
        report(copy)
        return
    begin = time.monotonic()
    targets = sorted({target for _, tests in modules.values() for target in tests})
    say(f"{copy.count - 1} mutants in {len(copy.files)} files, tested by {' '.join(targets)}")
    copy.build(targets)
    asker = Asker(copy.count, float("inf") if "--patient" in flags else 12)
    asker.learn()
    say("the suites reach " + str(len(set().union(*(places for _, places in asker.suites.values())))) + " places")
    known = verdicts()
    # A mutant that survived is tested again only with --again, for example after a test was added.
    open_ = [mutant for mutant in copy.mutants() if mutant.key not in known
             or "--again" in flags and known[mutant.key][1] != "killed"]
    if options["--since"]:
        changed = {file: changed_lines(file, options["--since"]) for file in {mutant.site.file for mutant in open_}}
        open_ = [mutant for mutant in open_ if mutant.line in changed[mutant.site.file]]
    order = random.Random(options["--seed"] or 1)
    order.shuffle(open_)
    open_.sort(key=lambda mutant: mutant.key not in known)
    lock = threading.Lock()
    asked_now = []

    def one(mutant):
        if options["--minutes"] and time.monotonic() - begin > options["--minutes"] * 60:
            return
        at = time.monotonic()
        verdict, why = asker.ask(mutant)
        asked_now.append(verdict)
        with lock, open(kept, "a") as file:
            file.write("\t".join([mutant.key, verdict, f"{time.monotonic() - at:.1f}", str(mutant.site.file), mutant.text,
                                  mutant.change.replace("\n", " "), why.replace("\t", " ")]) + "\n")
        if verdict != "killed":
            say(f"{verdict}: {mutant}")

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("POOLFLOW_TORTURE_WORKERS", os.cpu_count() or 2))) as pool:
        list(pool.map(one, open_))
    report(copy)
    alive = len(asked_now) - asked_now.count("killed")
    print(f"tested {len(asked_now)} mutants in {(time.monotonic() - begin) / 60:.0f} min; {alive} of them were not noticed")
    sys.exit(0 if alive == 0 else 1)


main()
