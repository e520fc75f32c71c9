package import FlowControl
internal import FlowModel
package import FlowWork
internal import Glibc

/// The settings files on disk: the resulting settings, the position of each value, and all mistakes.
package struct SettingsReading: Sendable {
  /// The path of the main file, which need not exist.
  package let path: String
  /// The files read, in order; later ones override earlier ones.
  package let files: [String]
  /// The valid settings; used only if there are no mistakes.
  package let settings: Settings
  package let problems: [SettingsProblem]
  package let values: [SettingView]

  /// Reads the main file and its drop-ins. A missing main file is an error only if `configPath` names it.
  ///
  /// - Parameter catalogue: the kinds of work that a section or a sink may name.
  /// - Throws: `SettingsError.unreadable` only.
  package init(
    configPath: String?, environment: [String: String], terminal: Bool, catalogue: JobCatalogue
  ) throws(SettingsError) {
    path = configPath ?? Self.standardPath(environment)
    let hasMain = configPath != nil || access(path, F_OK) == 0
    files = (hasMain ? [path] : []) + Settings.dropIns(beside: path)
    var lines: [SettingsLine] = []
    var problems: [SettingsProblem] = []
    for file in files {
      let (read, wrong) = SettingsFile.read(try Settings.contents(of: file), file: file)
      lines += read
      problems += wrong
    }
    var settings = Settings.standard(terminal: terminal)
    settings.path = files.isEmpty ? nil : path
    problems += settings.apply(lines, catalogue)
    self.settings = settings
    // Sort by position in the files: the checks do not run in that order.
    let fileOrder = Dictionary(uniqueKeysWithValues: files.enumerated().map { ($1, $0) })
    self.problems = problems.sorted {
      (fileOrder[$0.file] ?? 0, $0.line, $0.column) < (fileOrder[$1.file] ?? 0, $1.line, $1.column)
    }
    values = SettingView.effective(lines, settings)
  }

  /// Parses `text` as a settings file called `name`, without reading files.
  package init(text: String, name: String, catalogue: JobCatalogue) {
    let (lines, wrong) = SettingsFile.read(text, file: name)
    var settings = Settings.standard(terminal: false)
    let problems = wrong + settings.apply(lines, catalogue)
    self.init(
      path: name, files: [name], settings: settings,
      problems: problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) },
      values: SettingView.effective(lines, settings))
  }

  /// The defaults, without any file.
  package static var defaults: SettingsReading {
    let settings = Settings.standard(terminal: false)
    return SettingsReading(
      path: "", files: [], settings: settings, problems: [], values: SettingView.effective([], settings))
  }

  private init(
    path: String, files: [String], settings: Settings, problems: [SettingsProblem], values: [SettingView]
  ) {
    self.path = path
    self.files = files
    self.settings = settings
    self.problems = problems
    self.values = values
  }

  /// The default path: `poolflow.conf` in `$CONFIGURATION_DIRECTORY`, else in `/etc/poolflow`.
  package static func standardPath(_ environment: [String: String]) -> String {
    let directory = environment["CONFIGURATION_DIRECTORY"]?.split(separator: ":").first.map(String.init)
    return (directory ?? "/etc/poolflow") + "/poolflow.conf"
  }
}

extension SettingView {
  /// True if a change of this key takes effect only when the daemon restarts.
  package var takesRestart: Bool {
    let description = SettingsKey.all.first { $0.name == key && $0.section.holds(section) }
    return !(description?.appliesAtReload ?? true)
  }

  /// The effective value of every key in every section, in the order of `SettingsKey.all`.
  static func effective(_ lines: [SettingsLine], _ settings: Settings) -> [SettingView] {
    var last: [String: SettingsLine] = [:]
    for line in lines { last["\(line.section)\n\(line.key)"] = line }
    func value(_ section: String, _ key: SettingsKey, _ standard: String?) -> SettingView {
      guard let line = last["\(section)\n\(key.name)"] else {
        return SettingView(section: section, key: key.name, value: standard, origin: nil)
      }
      // An invalid connection string may contain a password, so it is not shown.
      let isShown = key.section != .store || key.name != "Connection" || (try? ConnectionString(line.value)) != nil
      return SettingView(
        section: section, key: key.name, value: isShown ? line.value : "…", origin: "\(line.file):\(line.line)")
    }
    var values = SettingsKey.all.filter { $0.section == .daemon }.map { value("Daemon", $0, $0.standard) }
    values += SettingsKey.all.filter { $0.section == .store }.map { value("Store", $0, $0.standard) }
    values += SettingsKey.all.filter { $0.section == .backup }.map { value("Backup", $0, $0.standard) }
    for kind in settings.jobs.keys.sorted() {
      for key in SettingsKey.all where key.section == .job {
        values.append(value("Job \(kind.rawValue)", key, key.standard))
      }
    }
    for sink in settings.sinks {
      let section = "Sink \(sink.name)"
      for key in SettingsKey.all where key.section == .sink && key.concerns(sink.kind) {
        // Show the effective value, which may differ from the key's default: without a file, stdout gets text on a
        // terminal.
        let standard =
          switch key.name {
          case "Type": sink.kind.rawValue
          case "Format": sink.format.rawValue
          default: key.standard
          }
        values.append(value(section, key, standard))
      }
    }
    return values
  }
}

extension SettingDifferenceView {
  /// The keys whose values differ between two readings.
  package static func between(_ before: [SettingView], _ after: [SettingView]) -> [SettingDifferenceView] {
    func table(_ values: [SettingView]) -> [String: SettingView] {
      Dictionary(values.map { ("\($0.section)\n\($0.key)", $0) }, uniquingKeysWith: { _, last in last })
    }
    let (old, new) = (table(before), table(after))
    var seen: Set<String> = []
    var differences: [SettingDifferenceView] = []
    for value in before + after {
      let name = "\(value.section)\n\(value.key)"
      guard seen.insert(name).inserted, old[name]?.value != new[name]?.value else { continue }
      differences.append(
        SettingDifferenceView(
          section: value.section, key: value.key, before: old[name]?.value, after: new[name]?.value,
          takesRestart: value.takesRestart))
    }
    return differences
  }
}
