import StableControl
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials
import StableModel
import StableStore

extension FeedAnswers {
  func listTemplates(_ call: FeedCall.ListTemplates, _ caller: Caller) async throws -> FeedCall.ListTemplates.Reply {
    let team = try await barn.team(named: call.team)
    let templates = try await mappingErrors { try await store.templates(of: team.id) }
    return FeedCall.ListTemplates.Reply(templates: templates.map { view(of: $0, team) })
  }

  func saveTemplate(_ call: FeedCall.SaveTemplate, _ caller: Caller) async throws -> FeedCall.SaveTemplate.Reply {
    let team = try await barn.team(named: call.team)
    let name = try HorseChanges.name(call.name, field: "name")
    let values = try FieldValue.unique(call.changes)
    let about = try values.first { $0.key == "description" }?.words(.notes)
    let changes = try FeedChanges(values.filter { $0.key != "description" }, besides: ["description"])
    guard !values.isEmpty || call.horse != nil else {
      throw ControlError.badValue(
        field: "changes", value: "",
        why: "name a horse, or at least one of: \(FeedChanges.keys.joined(separator: ", "))")
    }
    var copied: FeedSchedule?
    if let text = call.horse {
      let horse = try await barn.horse(text, of: team)
      copied = try await mappingErrors { try await store.schedules(of: team.id)[horse.id] } ?? FeedSchedule()
    }
    let (now, made) = (clock.now(), FeedTemplateID(UUID()))
    try await mappingErrors { [copied] in
      try await store.changeTemplates(of: team.id) { templates in
        let index = templates.firstIndex { HorseName($0.name) == HorseName(name) }
        var template =
          index.map { templates[$0] }
          ?? FeedTemplate(id: made, name: name, about: "", schedule: FeedSchedule(), createdAt: now)
        if let copied { template.schedule = copied }
        if let about { template.about = about }
        changes.apply(to: &template.schedule)
        guard !template.schedule.isEmpty else {
          throw ControlError.badValue(
            field: "name", value: name, why: "a template must have a feed in at least one slot")
        }
        if let index { templates[index] = template } else { templates.append(template) }
      }
    }
    log.notice("feed template of team '\(team.name)' saved by \(caller.words)")
    let template = try await barn.template(name, of: team)
    return FeedCall.SaveTemplate.Reply(template: view(of: template, team), created: template.id == made)
  }

  func applyTemplate(_ call: FeedCall.ApplyTemplate, _ caller: Caller) async throws -> FeedCall.ApplyTemplate.Reply {
    let team = try await barn.team(named: call.team)
    guard call.all == call.horses.isEmpty else {
      throw ControlError.badValue(field: "horses", value: "", why: "name horses, or all of them")
    }
    let template = try await barn.template(call.template, of: team)
    let known = try await barn.horses(of: team)
    let named =
      call.all ? known : try call.horses.map { try BarnFinder.horse($0, among: known, team: team) }
    let chosen = Set(named.map(\.id))
    let horses = known.filter { chosen.contains($0.id) }
    guard !horses.isEmpty else {
      throw ControlError.badValue(field: "horses", value: "", why: "team \(team.name) has no horse yet")
    }
    try await mappingErrors { try await store.applyTemplate(template.id, to: horses.map(\.id), of: team.id) }
    log.notice("feed template of team '\(team.name)' applied by \(caller.words)")
    let after = try await barn.template(template.id.description, of: team)
    return FeedCall.ApplyTemplate.Reply(template: view(of: after, team), horses: horses.map(\.name))
  }

  func removeTemplate(
    _ call: FeedCall.RemoveTemplate, _ caller: Caller
  ) async throws -> FeedCall.RemoveTemplate.Reply {
    let team = try await barn.team(named: call.team)
    let template = try await barn.template(call.template, of: team)
    if !call.dryRun {
      try await mappingErrors {
        try await store.changeTemplates(of: team.id) { templates in templates.removeAll { $0.id == template.id } }
      }
      log.notice("feed template of team '\(team.name)' removed by \(caller.words)")
    }
    return FeedCall.RemoveTemplate.Reply(template: view(of: template, team))
  }

  private func view(of template: FeedTemplate, _ team: Team) -> FeedTemplateView {
    FeedTemplateView(template, created: zones.local(template.createdAt, zone: team.zone))
  }
}
