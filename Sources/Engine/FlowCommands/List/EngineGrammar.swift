import FlowCommandKit

extension GrammarPart {
  /// The rules of the grammar, and the words of the engine's commands.
  static let engine = GrammarPart(
    introduction:
      "A command is a noun and a verb, then its objects in order, then options: pfctl pool show 'Steve Baird' --team "
      + "desert-blue. Everyday commands are one word. The same word means the same in every command:",
    rules: [
      (
        "the team",
        "named by --team TEAM; default: $POOLFLOW_TEAM, else the only team. Only `pfctl team …` takes it as an operand. "
          + "Commands about all teams or the whole store have no default team; there --team selects one"
      ),
      (
        "objects",
        "the records that a command acts on; they follow the verb and are never options. Give a name, an id or a unique "
          + "beginning of either (of an id at least four characters); teams, technicians, jobs and sinks need their full "
          + "names"
      ),
      (
        "values",
        "follow the objects of every set command: --fee 150 and fee=150 mean the same; all are set or none"
      ),
      (
        "questions",
        "--yes answers a plain question; to confirm what cannot be undone, type the name or give --confirm NAME"
      ),
      (
        "answers",
        "exit code 1: done, but something needs attention; exit code 4: you declined a question; see `pfctl help exit-codes`"
      ),
    ],
    verbs: [
      .init(
        10,
        [
          .init("list", "list all of them, or those that the options select"),
          .init("show", "show all details of one"),
          .init("add", "add a record"), .init("set", "change values of one"),
          .init("reset", "go back to the default"), .init("rename", "give it another name"),
          .init("remove", "remove one"), .init("prune", "remove many: those that a rule or the options select"),
          .init("clear", "remove its contents and keep it"),
        ]),
      .init(
        30,
        [
          .init("plan", "what a team has bought"), .init("create", "create it from the present data"),
          .init("verify", "check that it has not changed since it was made"),
          .init("restore", "replace the present data by it"), .init("export", "write it for other programs"),
          .init("import", "read it from a file"), .init("take", "import waiting files"),
          .init("test", "try it with a test notice"), .init("retry", "try again now"),
          .init("release", "deliver what is on hold"), .init("discard", "give up waiting entries"),
          .init("rotate", "replace secrets by new ones"),
        ]),
      .init(50, [.init("check", "find mistakes, change nothing")]),
      .init(
        70,
        [
          .init("drain", "move its work to other nodes until it is resumed"),
          .init("resume", "end a pause or a drain"),
        ]),
      .init(
        90,
        [
          .init("diff", "show what would change"), .init("explain", "explain its meaning"),
          .init("copy", "copy all of it elsewhere; the original stays"),
        ]),
    ],
    options: [
      .init(10, [.init("team", "TEAM", "the team"), .init("technician", "TECHNICIAN", "the technician")]),
      .init(
        30,
        [
          .init("job", "JOB", "only this job"), .init("sink", "SINK", "only this sink's"),
          .init("state", "STATE", "only entries in this state"), .init("day", "DAY", "a weekday"),
          .init("search", "TEXT", "only entries that contain this text"),
          .init("all", nil, "all entries, not only the default selection"),
          .init("limit", "N", "how many lines at most"), .init("count", "N", "how many"),
          .init("days", "N", "how many days"), .init("at", "TIME", "the time or day that is meant"),
          .init("since", "TIME", "only entries from then on"), .init("from", "TIME", "begin there"),
          .init("until", "TIME", "end there"), .init("month", "MONTH", "a calendar month"),
          .init("format", "…|…", "how it is written"),
          .init("output", "FILE", "write to this file or folder, not to standard output"),
          .init("config", "FILE", "settings to read"), .init("notes", "TEXT", "a note stored with it"),
          .init("dry-run", nil, "show what would happen, and change nothing"), .init("yes", nil, "do not ask"),
          .init("confirm", "NAME", "the name, to confirm without being asked"),
          .init("reveal", nil, "show personal data, too"),
        ]),
      .init(
        50,
        [
          .init("zone", "ZONE", "a time zone"), .init("language", "LANGUAGE", "a language"),
          .init("units", "UNITS", "a system of units: imperial or metric"),
        ]),
      .init(
        70,
        [
          .init("rule", "RULE", "a calendar expression"), .init("type", "KIND", "the kind of record"),
        ]),
    ])
}
