extension FindingView {
  /// A finding as the lists of them are written: `FindingView("clock", .ok, "the clock is right")`.
  package init(_ area: String, _ gravity: GravityView, _ message: String, remedy: String? = nil) {
    self.init(area: area, gravity: gravity, message: message, remedy: remedy)
  }
}
