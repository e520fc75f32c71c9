package import FlowControl

/// How commands name and count the records of a trade's teams.
package struct RecordNouns: Sendable {
  /// The noun of one record.
  package let one: String
  package let many: String
  package let count: @Sendable (TeamView) -> Int

  package init(_ one: String, _ many: String, count: @escaping @Sendable (TeamView) -> Int) {
    (self.one, self.many, self.count) = (one, many, count)
  }
}

/// The questions, options and steps of `pfctl setup` that only one trade has.
package struct TradeSetup: Sendable {
  /// The list of records that a team imports if it has no archive.
  package struct RecordList: Sendable {
    /// The option that names the file.
    package let option: CommandDescription.Option
    /// The list in a sentence, without an article.
    package let noun: String
    /// The archive in a sentence, with its article.
    package let archive: String
    /// The question for the file of either.
    package let question: String

    package init(option: CommandDescription.Option, noun: String, archive: String, question: String) {
      (self.option, self.noun, self.archive, self.question) = (option, noun, archive, question)
    }

    /// The files that an import accepts, for the refusal of an empty one.
    package var expectedFile: String { "expected a PoolFlow backup (ZIP) or \(noun) (CSV)" }
  }

  /// The morning notice of a team.
  package struct Morning: Sendable {
    /// How its time is set.
    package enum Time: Sendable {
      /// The team's setting `morning-time`; a setting with the job's name switches the notice on and off.
      case setting(question: String)
      /// The rules of jobs, the first of which is the notice's.
      case rules([SetupTime])
    }

    package let job: String
    package let time: Time
    /// The notice in a sentence, such as `the morning's list`.
    package let notice: String
    /// The next notice, as the subject of a sentence.
    package let next: String
    /// The subject of a sentence that denies a next notice.
    package let none: String

    package init(job: String, time: Time, notice: String, next: String, none: String) {
      (self.job, self.time, self.notice, self.next, self.none) = (job, time, notice, next, none)
    }
  }

  /// The question whether mail shows the data that give access to a record, such as codes, and the option for its answer.
  package struct Access: Sendable {
    /// The option, whose value is yes or no.
    package let option: CommandDescription.Option
    /// The data in a sentence, without an article.
    package let data: String
    /// The consequences of both answers, as one or more sentences.
    package let meaning: String
    package let question: String

    package init(option: CommandDescription.Option, data: String, meaning: String, question: String) {
      (self.option, self.data, self.meaning, self.question) = (option, data, meaning, question)
    }
  }

  /// Answers to the question for the trade, in lower case, beside its name.
  package let answers: Set<String>
  package let list: RecordList
  package let morning: Morning
  /// True if a technician without records gets no notices, so that setup does not ask for an address.
  package let technicianNeedsRecords: Bool
  /// The subjects of the office's notices.
  package let officeSubjects: String
  /// Nil if the trade's messages never contain such data; then setup does not ask.
  package let access: Access?

  package init(
    answers: Set<String>, list: RecordList, morning: Morning, technicianNeedsRecords: Bool, officeSubjects: String,
    access: Access? = nil
  ) {
    self.answers = answers
    self.list = list
    self.morning = morning
    self.technicianNeedsRecords = technicianNeedsRecords
    self.officeSubjects = officeSubjects
    self.access = access
  }

  /// The daily times that setup asks for; empty if the morning notice's time is a setting.
  package var times: [SetupTime] {
    switch morning.time {
    case .setting: []
    case .rules(let times): times
    }
  }

  /// The options that no other trade has.
  package var ownOptions: [CommandDescription.Option] { [list.option] + times.compactMap(\.ownOption) }

  /// The same options, with their place among those of `pfctl setup`.
  var addedOptions: [AddedOptions] {
    [
      AddedOptions(to: "setup", after: "archive", [list.option]),
      AddedOptions(to: "setup", after: SetupTime.morningOption, times.compactMap(\.ownOption)),
      AddedOptions(to: "setup", after: "ntfy-server", access.map { [$0.option] } ?? []),
    ]
  }
}

/// A daily time that setup asks for, which is the rule of a job.
package struct SetupTime: Sendable {
  package let job: String
  /// The name of the command line option.
  package let option: String
  /// The option's help; nil if every trade has the option.
  private let help: String?
  package let question: String
  /// The default.
  package let standard: String

  /// The option for the time of the morning notice, which every trade has.
  package static let morningOption = "morning-time"

  package init(job: String, option: String, help: String? = nil, question: String, standard: String) {
    self.job = job
    self.option = option
    self.help = help
    self.question = question
    self.standard = standard
  }

  /// The option, if only this trade has it.
  var ownOption: CommandDescription.Option? { help.map { .init(option, "HH:MM", $0) } }
}

/// Options that a trade adds to a command of the engine.
struct AddedOptions {
  /// The command's name.
  let command: String
  /// The option of the command that they follow.
  let predecessor: String
  let options: [CommandDescription.Option]

  init(to command: String, after predecessor: String, _ options: [CommandDescription.Option]) {
    (self.command, self.predecessor, self.options) = (command, predecessor, options)
  }
}

extension CommandDescription {
  /// The description with the options and examples that trades add to the command.
  ///
  /// - Parameter examples: command lines by the command's name.
  func adding(_ added: [AddedOptions], examples: [String: [String]]) -> CommandDescription {
    let own = added.filter { $0.command == name }
    var description = self
    description.examples += examples[name] ?? []
    description.options = options.flatMap { option in
      [option] + own.filter { $0.predecessor == option.name }.flatMap(\.options)
    }
    return description
  }
}
