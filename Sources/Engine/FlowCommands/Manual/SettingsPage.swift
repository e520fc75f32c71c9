import FlowCommandKit
import FlowModel
import FlowSettings

extension ManualPage {
  /// poolflow.conf(5), from the keys of the settings.
  static let settings = ManualPage("poolflow.conf.5") {
    var page = ManPage("poolflow.conf", section: 5, "settings of poolflowd")
    page.section("Synopsis")
    page.paragraph("/etc/poolflow/poolflow.conf, /etc/poolflow/poolflow.conf.d/*.conf")
    page.section("Description")
    page.paragraph(
      "Settings in the style of systemd: sections in brackets, Key = value, comments after # or ; at the beginning of a "
        + "line. poolflowd reads the file that --config names, else the one in $CONFIGURATION_DIRECTORY, else the one in "
        + "/etc/poolflow. Files in poolflow.conf.d beside it are read after it, in the order of their names; later "
        + "values win.")
    page.paragraph(
      "If there is a mistake anywhere, the daemon does not start: it exits with 78 and shows every mistake with its "
        + "line. At a reload it keeps its effective settings instead. The settings of a team (zone, language, units, "
        + "morning time, switches, plan) are stored as data: see pfctl team set.")
    page.example(["pfctl config check", "pfctl config diff", "pfctl reload", "pfctl config show --origin"])
    page.section("Instances")
    page.paragraph(
      "poolflowd@NAME reads /etc/poolflow/NAME/poolflow.conf and /etc/poolflow/NAME/poolflow.conf.d/*.conf, in the same "
        + "form, and no file of the daemon without a name: a setting for both must be in both files. The first start "
        + "creates the folder; without a file in it the defaults apply, with the instance's own paths: the store and the "
        + "drop folder are in /var/lib/poolflow-NAME, the socket is /run/poolflow-NAME/control.sock. Two daemons must "
        + "not share a drop folder, an inbox or a backup folder; poolflow-post(1) reads from one drop folder.")
    page.example([
      "pfctl --instance north config check", "pfctl --instance north config show --origin",
      "pfctl --instance north reload",
    ])
    for section in SettingsKey.Section.allCases {
      page.section("[\(section.rawValue)]")
      if section == .sink {
        page.paragraph(
          "One section per sink; its name is shown in the outbox. Any such section replaces the two default sinks, "
            + "stdout and drop.")
      }
      for key in SettingsKey.all where key.section == section {
        var text = ManPage.sentence(key.summary)
        for detail in key.details { text += " " + detail }
        if !key.kinds.isEmpty { text += " For sinks of type \(key.kinds.map(\.rawValue).joined(separator: " or "))." }
        text += key.standard.map { " Default: \($0)." } ?? ""
        if !key.appliesAtReload { text += " Takes a restart." }
        page.item("\(key.name) = \(key.value)", text)
      }
    }
    page.section("Examples")
    page.paragraph("One JSON file per notice, in a folder that you choose:")
    page.example(["[Sink dispatch]", "Type = file-drop", "Directory = /srv/poolflow/outbox", "MaxFiles = 5000"])
    page.paragraph("The notices in the systemd journal, too:")
    page.example(["[Sink journal]", "Type = journal"])
    page.section("See also")
    page.paragraph("poolflowd(8), pfctl(1)")
    return page
  }
}
