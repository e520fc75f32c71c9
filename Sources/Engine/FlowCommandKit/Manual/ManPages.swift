internal import FlowControl

/// The manual, generated from the descriptions that help, suggestions and completion use: an index, a page for each noun, and
/// the pages of the modules.
package struct ManPages {
  private let catalogue: CommandCatalogue

  package init(_ catalogue: CommandCatalogue) { self.catalogue = catalogue }

  package var names: [String] { ["pfctl.1"] + catalogue.nouns.map(\.page) + catalogue.pages.map(\.name) }

  /// The text of a manual page; nil if there is no such page.
  package func page(_ name: String) -> String? {
    if name == "pfctl.1" { return pfctl.text }
    if let page = catalogue.pages.first(where: { $0.name == name }) { return page.page().text }
    return catalogue.nouns.first { $0.page == name }.map { noun($0).text }
  }

  // MARK: pfctl(1)

  private var pfctl: ManPage {
    var page = ManPage("pfctl", section: 1, "schedule, inspect and explain the work of poolflowd")
    page.section("Synopsis")
    page.synopsis("pfctl [OPTION…] COMMAND …")
    page.section("Description")
    page.paragraph(
      "pfctl asks the daemon poolflowd over its control socket: what runs when, what ran and why not, what was sent. "
        + "Data goes to standard output, messages to standard error; the exit code shows the result.")
    page.paragraph("Options may come before or after the command; --option value and --option=value mean the same.")
    page.section("Commands")
    page.paragraph(
      "Each noun has its own page: man pfctl-team, or pfctl help team for one line about each of its commands.")
    for chapter in catalogue.chapters {
      page.subsection(chapter.title)
      for noun in chapter.nouns {
        page.item(
          noun.reference,
          "\(ManPage.sentence(noun.summary)) \(catalogue.commands(of: noun).map(\.name).joined(separator: ", ")).")
      }
    }
    page.section("Options of every command")
    for option in CommandDescription.globalOptions { page.item(option.usage, ManPage.sentence(option.summary)) }
    for topic in HelpTopic.all(catalogue) {
      page.section(topic.name == "exit-codes" ? "Exit status" : topic.name)
      page.paragraph(topic.introduction)
      for (word, meaning) in topic.entries { page.item(String(word.drop { $0 == " " }), ManPage.sentence(meaning)) }
      for line in topic.closing { page.paragraph(line) }
    }
    page.section("Environment")
    page.item("POOLFLOW_SOCKET", "The daemon's socket, if neither --socket nor --instance is given.")
    page.item("POOLFLOW_TEAM", "The team of a command, if --team is not given.")
    page.item("PAGER", "The pager for long output on a terminal; default: less.")
    page.item("NO_COLOR, TERM=dumb", "No colours, as --color never.")
    page.section("Files")
    page.item("/run/poolflow/control.sock", "The system's daemon.")
    page.item("/run/poolflow-NAME/control.sock", "The socket of the daemon poolflowd@NAME, for --instance NAME.")
    page.item("$XDG_RUNTIME_DIR/poolflow/control.sock", "A user's own daemon.")
    page.item(
      "/usr/share/poolflow/schemas", "A JSON Schema of each document and event, as pfctl help schema prints it.")
    page.item(
      "/usr/share/doc/poolflow/examples",
      "Drop-ins, web servers' settings, a demo team's backup, clients in Python and shell, a Grafana dashboard, Prometheus alerts."
    )
    page.section("See also")
    page.paragraph("poolflowd(8), poolflow.conf(5), poolflow-post(1), systemd.time(7)")
    return page
  }

  // MARK: pfctl-NOUN(1)

  private func noun(_ noun: ManualNoun) -> ManPage {
    let commands = catalogue.commands(of: noun)
    var page = ManPage("pfctl-\(noun.name)", section: 1, noun.summary)
    page.section("Synopsis")
    for description in commands { page.synopsis(description.usage) }
    page.section("Description")
    for text in noun.introduction { page.paragraph(text) }
    page.paragraph(
      "pfctl(1) describes what all commands have in common (--json, --instance, times, exit codes).")
    page.section("Commands")
    for description in commands { add(description, to: &page) }
    let chapter = catalogue.chapters.first { $0.nouns.contains { $0.name == noun.name } }
    let neighbours = chapter.map { $0.nouns.filter { $0.name != noun.name }.map(\.reference) } ?? []
    page.section("See also")
    page.paragraph((["pfctl(1)"] + neighbours + ["poolflowd(8)", "poolflow.conf(5)"]).joined(separator: ", "))
    return page
  }

  private func add(_ description: CommandDescription, to page: inout ManPage) {
    page.subsection(description.usage)
    page.paragraph(ManPage.sentence(description.summary))
    if !description.details.isEmpty { page.paragraph(description.details.joined(separator: " ")) }
    for option in description.options { page.item(option.usage, ManPage.sentence(option.summary)) }
    if !description.examples.isEmpty { page.example(description.examples) }
  }
}

/// A page of the manual about something else than commands, such as `poolflowd.8`.
package struct ManualPage: Sendable {
  package let name: String
  package let page: @Sendable () -> ManPage

  package init(_ name: String, page: @escaping @Sendable () -> ManPage) { (self.name, self.page) = (name, page) }
}
