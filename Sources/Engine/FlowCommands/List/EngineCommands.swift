package import FlowCommandKit
import FlowControl
import FlowModel
import FlowNotices
import FlowOperations
import FlowSetup

extension CommandModule {
  /// The commands about jobs, teams, people, notices, files and the daemon.
  package static let engine: CommandModule = {
    var module = CommandModule(commands: .engine, chapters: .engine)
    module.pages = [.post, .settings, .poolflowd]
    module.overview = .engine
    module.grammar = .engine
    module.recordNames = ["team", "pool", "item", "run", "notice", "sink"]
    module.spellings = .engine
    module.otherTools = .engine
    module.values = ValueCompletion.engine
    module.names = NameSource.engine
    module.formats = [
      SchemaEntry(
        document: "poolflow.inbox/1", "the .result file beside a file that was dropped into the inbox",
        shapes: { try JSONShapes(of: InboxResultView.self) })
    ]
    module.events = [
      EventSchema(OperatorNotice.job)
    ]
    module.eventParts = [
      .init("published") { try JSONShapes(of: PublishedPageData.self) },
      .init("recipient") { try JSONShapes(of: RecipientData.self) },
      .init("told_otherwise") { try JSONShapes(of: Bool.self) },
    ]
    module.interfaces = .flowControl
    return module
  }()
}

extension [ListPart<Overview.Line>] {
  static var engine: Self {
    [
      .init(
        10,
        [
          .init("setup", "set up a team: its pools, its morning time, who gets which notices"),
          .init("status", "how the daemon is doing"), .init("list", "every job with its next and last run"),
          .init("why JOB", "why it ran, did not run, or sent nothing"),
          .init("digest", "the morning summary as it would be sent"),
        ]),
      .init(
        30,
        [
          .init("backup create", "back up the store now"),
          .init("doctor", "find problems, and show what to do about them"),
        ]),
    ]
  }
}

extension [ListPart<any Command.Type>] {
  /// To add a command, add its file and its name here. `pfctl help --json` and completion keep this order; between equal first words
  /// the longer command comes first.
  static var engine: Self {
    [
      .init(
        10,
        [
          StatusCommand.self, ListCommand.self, NextCommand.self, HistoryCommand.self, WhyCommand.self,
          EventsCommand.self,
        ]),
      .init(
        30,
        [
          DoctorCommand.self, NodesDrainCommand.self, NodesResumeCommand.self, NodesCommand.self, AuditCommand.self,
          RunCommand.self, CancelCommand.self, PauseCommand.self, ResumeCommand.self, SkipCommand.self,
          SimulateCommand.self, JobShowCommand.self, JobSetCommand.self, JobResetCommand.self, CalendarCommand.self,
          RemindCommand.self, ReminderAddCommand.self, ReminderListCommand.self, ReminderSetCommand.self,
          ReminderRemoveCommand.self, ClosedAddCommand.self, ClosedListCommand.self, ClosedRemoveCommand.self,
          ClosedImportCommand.self, SetupCommand.self, TeamAddCommand.self, TeamListCommand.self, TeamShowCommand.self,
          TeamSetCommand.self, TeamPlanCommand.self, TeamRenameCommand.self, TeamClearCommand.self,
          TeamRemoveCommand.self, TechnicianListCommand.self, TechnicianAddCommand.self, TechnicianSetCommand.self,
          TechnicianRemoveCommand.self, TechnicianTestCommand.self,
        ]),
      .init(
        70,
        [
          PublishListCommand.self, PublishRotateCommand.self,
        ]),
      .init(
        90,
        [
          OutboxListCommand.self, OutboxShowCommand.self, OutboxRetryCommand.self, OutboxReleaseCommand.self,
          OutboxDiscardCommand.self, OutboxRemoveCommand.self, OutboxPruneCommand.self, SinkListCommand.self,
          SinkTestCommand.self, ImportCommand.self, ExportCommand.self, InboxListCommand.self, InboxTakeCommand.self,
          BackupCreateCommand.self, BackupListCommand.self, BackupShowCommand.self, BackupVerifyCommand.self,
          BackupRestoreCommand.self, BackupExportCommand.self, BackupPruneCommand.self, StoreCopyCommand.self,
          ConfigCheckCommand.self, ConfigShowCommand.self, ConfigDiffCommand.self, ConfigExplainCommand.self,
          ReloadCommand.self, BugreportCommand.self, CompletionCommand.self, HelpCommand.self, VersionCommand.self,
        ]),
    ]
  }
}
