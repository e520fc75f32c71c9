internal import Glibc
package import PoolControl
internal import PoolModel
package import PoolWork

/// The settings files as they are on disk: what they come to, where each value stands, and every mistake in them.
package struct SettingsReading: Sendable {
  /// The main file, whether it is there or not.
  package let path: String
  /// What was read, in order: later ones win.
  package let files: [String]
  /// What could be taken; in force only where there is no problem.
  package let settings: Settings
  package let problems: [SettingsProblem]
  package let values: [SettingView]

  /// Reads the main file and its drop-ins. No file at all is no mistake, unless `configPath` names one.
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
    // Where a mistake hides another is decided by its place, not by which check found it first.
    let places = Dictionary(uniqueKeysWithValues: files.enumerated().map { ($1, $0) })
    self.problems = problems.sorted {
      (places[$0.file] ?? 0, $0.line, $0.column) < (places[$1.file] ?? 0, $1.line, $1.column)
    }
    values = SettingView.effective(lines, settings)
  }

  /// Settings that somebody asks about, as if they stood in a file of that name.
  package init(text: String, name: String, catalogue: JobCatalogue) {
    let (lines, wrong) = SettingsFile.read(text, file: name)
    var settings = Settings.standard(terminal: false)
    let problems = wrong + settings.apply(lines, catalogue)
    self.init(
      path: name, files: [name], settings: settings,
      problems: problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) },
      values: SettingView.effective(lines, settings))
  }

  /// What holds where nothing is written.
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

  /// `poolflow.conf` of `$CONFIGURATION_DIRECTORY`, else of `/etc/poolflow`.
  package static func standardPath(_ environment: [String: String]) -> String {
    let directory = environment["CONFIGURATION_DIRECTORY"]?.split(separator: ":").first.map(String.init)
    return (directory ?? "/etc/poolflow") + "/poolflow.conf"
  }
}

extension SettingView {
  /// The daemon takes this key over at its start only.
  package var takesRestart: Bool {
    let description = SettingsKey.all.first { $0.name == key && $0.section.holds(section) }
    return !(description?.appliesAtReload ?? true)
  }

  /// Every key of every section that is in force, in the order of the catalogue.
  static func effective(_ lines: [SettingsLine], _ settings: Settings) -> [SettingView] {
    var last: [String: SettingsLine] = [:]
    for line in lines { last["\(line.section)\n\(line.key)"] = line }
    func value(_ section: String, _ key: SettingsKey, _ standard: String?) -> SettingView {
      guard let line = last["\(section)\n\(key.name)"] else {
        return SettingView(section: section, key: key.name, value: standard, origin: nil)
      }
      // Where a password stands although it must not, it is not shown either.
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
        // Without a file a terminal gets text; what is in force is shown, not what the key's default says.
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
  /// The keys whose values are others in the second reading.
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
