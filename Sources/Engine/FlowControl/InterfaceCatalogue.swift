/// All interfaces of the control protocol, from the lists of several modules: those that the daemon serves, and from which `pfctl`
/// knows the errors, the audited calls and the comments for schemas.
package struct InterfaceCatalogue: Sendable {
  /// The Varlink protocol's own interface first, then poolflow's interfaces by name.
  package let interfaces: [InterfaceDescription]

  package init(_ modules: [[InterfaceDescription]]) {
    let (own, ours) = (modules.joined().filter(\.isVarlink), modules.joined().filter { !$0.isVarlink })
    interfaces = own + ours.sorted { $0.name < $1.name }
  }

  /// The types of all calls.
  package var methods: [any ControlMethod.Type] { interfaces.flatMap { $0.methods } }

  package var errors: [ErrorDescription] { interfaces.flatMap(\.errors) }

  /// The comments of all interfaces (see `InterfaceDescription.comments`).
  package var comments: [String] { interfaces.map(\.comments) }

  package func interface(named name: String) -> InterfaceDescription? { interfaces.first { $0.name == name } }

  /// The exit code of `pfctl` for an error; an error of a newer daemon has the code of an internal fault.
  package func exitCode(of error: ControlError) -> Int32 {
    errors.first { $0.kind == error.kind }?.exitCode ?? ExitCode.internalFault
  }

  /// The names that are listed twice, and the methods and errors whose names do not begin with their interface.
  package var faults: [String] {
    let methods = interfaces.flatMap { interface in interface.methods.map { (interface.name, $0.method) } }
    let errors = interfaces.flatMap { interface in interface.errors.map { (interface.name, $0.kind.rawValue) } }
    let misplaced = (methods + errors).filter { interface, name in
      name.split(separator: ".").dropLast().joined(separator: ".") != interface
    }
    var seen: Set<String> = []
    let repeated = (interfaces.map(\.name) + (methods + errors).map(\.1)).filter { !seen.insert($0).inserted }
    return repeated.map { "\($0) is listed twice" } + misplaced.map { "\($1) is listed in \($0)" }
  }
}

extension InterfaceDescription {
  /// True for the Varlink protocol's own interface.
  fileprivate var isVarlink: Bool { name.hasPrefix("org.varlink.") }
}
