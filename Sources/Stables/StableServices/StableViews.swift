import StableControl
import FlowControl
import FlowModel
import FlowNotices
import StableModel
import StableRules

// A stable's records in the form that callers get.

extension HorseView {
  init(_ horse: Horse) {
    self.init(
      id: horse.id.description, name: horse.name, owner: horse.owner, clipped: horse.isClipped,
      added: horse.added.description, photo: horse.hasPhoto)
  }
}

extension FeedMealView {
  init(_ meal: FeedMeal) {
    self.init(grain: meal.grain, supplements: meal.supplements, medications: meal.medications)
  }
}

extension FeedScheduleView {
  init(_ schedule: FeedSchedule?, of horse: Horse) {
    self.init(
      horse: horse.name, id: horse.id.description, am: FeedMealView(schedule?.am ?? FeedMeal()),
      pm: FeedMealView(schedule?.pm ?? FeedMeal()))
  }
}

extension FeedTemplateView {
  /// A feed template in the form that callers get.
  ///
  /// - Parameter created: the creation time as text for people.
  init(_ template: FeedTemplate, created: String) {
    self.init(
      id: template.id.description, name: template.name, description: template.about,
      am: FeedMealView(template.schedule.am), pm: FeedMealView(template.schedule.pm), uses: template.uses,
      createdAt: template.createdAt.description, createdLocal: created)
  }
}

extension CareEventView {
  init(_ event: CareEvent, of horse: String, today: CivilDate, team: Team) {
    self.init(
      id: event.id.description, horse: horse, horseId: event.horseID.description, type: CareTypeView(event.type),
      date: event.date.description, planned: event.date > today, notes: event.notes,
      nextDue: event.nextDue?.description, cost: event.cost?.description,
      costText: event.cost.map { $0.text(for: team) },
      provider: event.provider)
  }
}

extension CareDueView {
  init(_ item: CareDue.Item) {
    self.init(
      horse: item.horse.name, horseId: item.horse.id.description, type: CareTypeView(item.type),
      due: item.due.description, days: item.days, status: CareStatusView(item.status),
      event: item.event.id.description, done: item.event.date.description)
  }
}

extension Cost {
  /// Money in the team's currency, rounded to cents once.
  func text(for team: Team) -> String { RegionalFormat(team).money(Double(cents) / 100) }
}
