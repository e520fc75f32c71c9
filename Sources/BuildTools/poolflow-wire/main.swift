import FlowWire
import Foundation

// Usage: poolflow-wire OUTPUT-FOLDER MODULE FILE.varlink… [--import MODULE FILE.varlink…]…. Generates Swift sources from a module's
// Varlink interfaces and the interfaces of the modules that it imports; called by WirePlugin.

func fail(_ message: String, _ code: Int32) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(code)
}

func files(_ paths: some Sequence<String>) throws -> WireModule.Files {
  try paths.map { path in
    (name: URL(filePath: path).lastPathComponent, text: try String(contentsOfFile: path, encoding: .utf8))
  }
}

// A module's name and its files; the generated module comes first.
let modules = CommandLine.arguments.dropFirst(2).split(separator: "--import")
guard let own = modules.first, own.count > 1, modules.allSatisfy({ !$0.isEmpty }) else {
  fail("usage: poolflow-wire OUTPUT-FOLDER MODULE FILE.varlink… [--import MODULE FILE.varlink…]…", 64)
}
do {
  let imports = try modules.dropFirst().map { WireModule.Import($0[$0.startIndex], try files($0.dropFirst())) }
  let module = try WireModule(files(own.dropFirst()), named: own[own.startIndex], importing: imports)
  for source in module.sources {
    try source.text.write(
      toFile: "\(CommandLine.arguments[1])/\(source.name)", atomically: true, encoding: .utf8)
  }
} catch {
  fail("\(error)", 65)
}
