import Foundation
import PackagePlugin

/// Build plugin that generates Swift sources from a target's `.varlink` files before the target is compiled.
@main
struct WirePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    // Order: the Varlink protocol's own interface first, then poolflow's interfaces by name.
    let files = module.sourceFiles.map(\.url).filter { $0.pathExtension == "varlink" }.sorted {
      let own = ($0.lastPathComponent.hasPrefix("org.varlink."), $1.lastPathComponent.hasPrefix("org.varlink."))
      return own.0 == own.1 ? $0.lastPathComponent < $1.lastPathComponent : own.0
    }
    guard !files.isEmpty else { return [] }
    let folder = context.pluginWorkDirectoryURL
    let names = files.map { file in
      let last = file.deletingPathExtension().lastPathComponent.split(separator: ".").last.map(String.init) ?? ""
      return last.prefix(1).uppercased() + last.dropFirst() + ".swift"
    }
    return [
      .buildCommand(
        displayName: "Making the wire's Swift", executable: try context.tool(named: "poolflow-wire").url,
        arguments: [folder.path] + files.map(\.path), inputFiles: files,
        outputFiles: (names + ["Catalogue.swift"]).map { folder.appending(path: $0) })
    ]
  }
}
