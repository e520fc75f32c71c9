import Foundation
import PackagePlugin

/// Build plugin that generates Swift sources from a target's `.varlink` files before the target is compiled. Types that the
/// interfaces of a dependency declare are taken from there.
@main
struct WirePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let files = Self.interfaces(of: target)
    guard !files.isEmpty else { return [] }
    let imports = target.recursiveTargetDependencies.map { ($0.name, Self.interfaces(of: $0)) }.filter { !$0.1.isEmpty }
    let folder = context.pluginWorkDirectoryURL
    let names = files.map { file in
      let last = file.deletingPathExtension().lastPathComponent.split(separator: ".").last.map(String.init) ?? ""
      return last.prefix(1).uppercased() + last.dropFirst() + ".swift"
    }
    return [
      .buildCommand(
        displayName: "Making the wire's Swift", executable: try context.tool(named: "poolflow-wire").url,
        arguments: [folder.path, target.name] + files.map(\.path)
          + imports.flatMap { ["--import", $0.0] + $0.1.map(\.path) },
        inputFiles: files + imports.flatMap(\.1),
        outputFiles: (names + ["InterfaceList.swift"]).map { folder.appending(path: $0) })
    ]
  }

  /// The target's `.varlink` files: the Varlink protocol's own interface first, then poolflow's interfaces by name.
  private static func interfaces(of target: any Target) -> [URL] {
    (target.sourceModule?.sourceFiles.map(\.url) ?? []).filter { $0.pathExtension == "varlink" }.sorted {
      let own = ($0.lastPathComponent.hasPrefix("org.varlink."), $1.lastPathComponent.hasPrefix("org.varlink."))
      return own.0 == own.1 ? $0.lastPathComponent < $1.lastPathComponent : own.0
    }
  }
}
