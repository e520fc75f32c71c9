extension FindingView {
  /// Short form for lists of findings: `FindingView("clock", .ok, "the clock is right")`.
  package init(_ area: String, _ gravity: GravityView, _ message: String, remedy: String? = nil) {
    self.init(area: area, gravity: gravity, message: message, remedy: remedy)
  }
}
