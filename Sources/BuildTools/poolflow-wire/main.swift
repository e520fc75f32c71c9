import FlowWire
import Foundation

// Usage: poolflow-wire OUTPUT-FOLDER FILE.varlink…. Generates Swift sources from Varlink interfaces; called by WirePlugin.

func fail(_ message: String, _ code: Int32) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(code)
}

let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first, arguments.count > 1 else {
  fail("usage: poolflow-wire OUTPUT-FOLDER FILE.varlink…", 64)
}
do {
  let files = try arguments.dropFirst().map { path in
    (name: URL(filePath: path).lastPathComponent, text: try String(contentsOfFile: path, encoding: .utf8))
  }
  for source in try WireModule(files).sources {
    try source.text.write(toFile: "\(folder)/\(source.name)", atomically: true, encoding: .utf8)
  }
} catch {
  fail("\(error)", 65)
}
