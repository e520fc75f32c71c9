extension InterfaceDescription {
  /// `org.poolflow.Reports`, as the daemon serves it: pages for people.
  package static let reports = InterfaceDescription(
    name: "org.poolflow.Reports",
    text: """
      # Pages for people: digests before they are told, a visit for its customer, a month for the owner.
      interface org.poolflow.Reports

      # A digest as it would be told, without telling it: morning or weekly, as text, md, html, ics or json.
      method Digest(team: string, kind: string, date: ?string, technician: ?string, format: string) -> (text: string)

      # A visit as its customer may read it, the last one without `visit`; as text, md or html.
      method Visit(team: string, pool: string, visit: ?string, format: string) -> (text: string)

      # A calendar month in numbers, such as 2026-02, the last whole one without it; as text, md or html.
      method Month(team: string, month: ?string, format: string) -> (text: string)
      """)
}
