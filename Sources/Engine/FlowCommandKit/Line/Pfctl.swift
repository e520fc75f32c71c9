internal import FlowControl
internal import FlowModel
internal import FlowPlatform

/// The entry point of `pfctl`: runs a command line and returns its exit code.
package enum Pfctl {
  /// - Parameters:
  ///   - words: the command line without the program's name.
  ///   - catalogue: all commands.
  package static func run(
    _ words: [String], environment: [String: String], catalogue: CommandCatalogue
  ) -> Int32 {
    do {
      let arguments = try Arguments(words, in: catalogue)
      let console = try Console(arguments: arguments, environment: environment)
      return run(arguments, console, environment, catalogue)
    } catch {
      // The command line could not be parsed, so search it for `--json`, which decides the format of the error.
      let plain = try? Console(
        arguments: nil, environment: environment, json: words.contains { $0 == "--json" || $0.hasPrefix("--json=") })
      plain?.failure(error.name, error.message, exitCode: error.exitCode)
      return error.exitCode
    }
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ environment: [String: String], _ catalogue: CommandCatalogue
  ) -> Int32 {
    do {
      var environment = environment
      if let name = arguments["instance"] { environment = try DaemonInstance(name).environment(over: environment) }
      let socket = arguments["socket"] ?? RuntimePaths.clientSocket(environment: environment, uid: Accounts.ownUID)
      let isNamed =
        arguments["socket"] != nil
        || (arguments["instance"] == nil && environment["POOLFLOW_SOCKET"].map { !$0.isEmpty } ?? false)
      let session = Session(
        console: console, socketPath: socket, isSocketNamed: isNamed, instance: arguments["instance"],
        environment: environment, catalogue: catalogue)
      do {
        try arguments.command.run(arguments, session)
      } catch let error as ControlError where error.kind == .noSuchTeam && session.isTeamFromEnvironment {
        throw ControlError(
          .noSuchTeam, "\(error.message); $\(Session.teamVariable) names it, and --team another", facts: error.facts)
      } catch let error as ControlError where error.kind == .notRunning {
        // The offline reader does not know the name of the unit, so the start command is added here.
        throw ControlError(.notRunning, "\(error.message); \(DaemonInstance.startHint(at: socket))", facts: error.facts)
      } catch let error as CommandFailure where error.name == "unavailable" || error.name == "try-again" {
        // With socket activation the connection succeeds even if the service cannot start, and is then closed: add the unit's
        // failure.
        guard let failure = session.settledUnit?.failure else { throw error }
        throw error.adding("; \(failure.words): \(failure.remedy)")
      }
      console.finish()
      if console.outputFailed {
        throw CommandFailure.inputOutput("cannot write to standard output; is the disk full?")
      }
      return session.exitCode
    } catch let error as ControlError {
      let code = catalogue.interfaces.exitCode(of: error)
      console.failure(error.name, error.message, facts: error.facts, exitCode: code)
      return code
    } catch let error as CommandFailure {
      console.failure(error.name, error.message, secondMessage: error.secondMessage, exitCode: error.exitCode)
      return error.exitCode
    } catch {
      console.failure("internal", "this should not happen: \(error)", exitCode: ExitCode.internalFault)
      return ExitCode.internalFault
    }
  }
}
