package import FlowModel

/// The kinds of a stable's records, by the names of their tables.
extension RecordCounts {
  package init(horses: Int, schedules: Int, care: Int, photos: Int) {
    self.init(byKind: ["horses": horses, "feed_schedules": schedules, "care_events": care, "photos": photos])
  }

  package var horses: Int { self["horses"] }
  package var schedules: Int { self["feed_schedules"] }
  package var care: Int { self["care_events"] }
}
