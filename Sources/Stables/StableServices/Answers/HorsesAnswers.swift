import StableControl
import FlowBackup
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials
import PoolModel
import StableModel
import StableRules
import StableStore

/// Answers `org.poolflow.Horses`.
struct HorsesAnswers: HorsesService {
  let store: any CareBooks & FeedBooks & Horses & StableBooks
  let barn: BarnFinder
  let uploads: Uploads
  let photos: PhotoStore
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let log: DaemonLog

  func list(_ call: HorsesCall.List, _ caller: Caller) async throws -> HorsesCall.List.Reply {
    let team = try await barn.team(named: call.team)
    let search = try call.search.map {
      try SearchText(asked: $0, example: "a part of a horse's name or of its owner's, such as 'ada'")
    }
    let horses = try await barn.horses(of: team).filter { horse in
      search.map { $0.isFound(in: horse.name) || $0.isFound(in: horse.owner) } ?? true
    }
    return HorsesCall.List.Reply(horses: horses.map { HorseView($0) })
  }

  func show(_ call: HorsesCall.Show, _ caller: Caller) async throws -> HorsesCall.Show.Reply {
    let team = try await barn.team(named: call.team)
    let horse = try await barn.horse(call.horse, of: team)
    let record = try await record(of: horse, team)
    let total = record.care.reduce(Cost.zero) { $0 + ($1.cost ?? .zero) }
    return HorsesCall.Show.Reply(
      details: HorseDetailsView(
        horse: HorseView(horse), team: team.name, am: FeedMealView(record.schedule.am),
        pm: FeedMealView(record.schedule.pm),
        care: record.care.prefix(Self.careShown).map {
          CareEventView($0, of: horse.name, today: record.today, team: team)
        }, careTotal: record.care.count, due: record.due.map { CareDueView($0) }, cost: total.description,
        costText: total.text(for: team)))
  }

  func add(_ call: HorsesCall.Add, _ caller: Caller) async throws -> HorsesCall.Add.Reply {
    let team = try await barn.team(named: call.team)
    let name = try HorseChanges.name(call.name, field: "name")
    let changes = try changes(call.changes, of: team)
    let today = try barn.today(of: team)
    let horse = try await mappingErrors {
      try await store.addHorse(to: team.id) { horses in
        try horses.checkNameIsFree(name, team: team)
        guard horses.count < Limits.horsesPerTeam else {
          throw ControlError.badValue(
            field: "name", value: name,
            why: "team \(team.name) has \(horses.count) horses, the most that a stable may have")
        }
        var horse = Horse(id: HorseID(UUID()), name: name, added: today)
        changes.apply(to: &horse)
        try horses.checkNameIsFree(horse.name, team: team)
        return horse
      }
    }
    log.notice("horse of team '\(team.name)' added by \(caller.words)")
    return HorsesCall.Add.Reply(horse: HorseView(horse))
  }

  func set(_ call: HorsesCall.Set, _ caller: Caller) async throws -> HorsesCall.Set.Reply {
    let team = try await barn.team(named: call.team)
    let changes = try changes(call.changes, of: team)
    guard !changes.isEmpty || call.photo != nil else {
      throw ControlError.badValue(
        field: "changes", value: "", why: "name what to set: \(HorseChanges.keys.joined(separator: ", ")) or photo")
    }
    let horse = try await barn.horse(call.horse, of: team)
    let photo = try await stagePhoto(call.photo, of: horse, team, caller)
    let changed: Horse
    do {
      changed = try await mappingErrors {
        try await store.changeHorse(horse.id, of: team.id) { horse, others in
          changes.apply(to: &horse)
          try others.checkNameIsFree(horse.name, team: team)
          if let photo { horse.hasPhoto = photo == .staged }
        }
      }
    } catch {
      if photo == .staged { photos.discard(horse.id, of: team.id) }
      throw error
    }
    settlePhoto(photo, of: changed, team)
    log.notice("horse of team '\(team.name)' changed by \(caller.words)")
    return HorsesCall.Set.Reply(horse: HorseView(changed))
  }

  func remove(_ call: HorsesCall.Remove, _ caller: Caller) async throws -> HorsesCall.Remove.Reply {
    let team = try await barn.team(named: call.team)
    let horse = try await barn.horse(call.horse, of: team)
    let record = try await record(of: horse, team)
    if !call.dryRun {
      guard call.confirm == horse.name else {
        throw ControlError.badValue(
          field: "confirm", value: call.confirm ?? "",
          why: "to confirm, repeat the whole name of the horse: \(horse.name)"
        )
      }
      guard try await mappingErrors({ try await store.removeHorse(horse.id, of: team.id) }) else {
        throw ControlError.noSuchHorse(call.horse, team: team.name, suggestion: nil)
      }
      photos.remove([horse.id], of: team.id)
      log.notice("horse of team '\(team.name)' removed by \(caller.words)")
    }
    return HorsesCall.Remove.Reply(
      horse: HorseView(horse), dryRun: call.dryRun, care: record.care.count, hasSchedule: !record.schedule.isEmpty)
  }

  func report(_ call: HorsesCall.Report, _ caller: Caller) async throws -> HorsesCall.Report.Reply {
    let team = try await barn.team(named: call.team)
    let horse = try await barn.horse(call.horse, of: team)
    let record = try await record(of: horse, team)
    let page = HorsePage(
      team: team, horse: horse, record: record,
      photo: horse.hasPhoto ? await photos.shown(of: horse.id, team: team.id) : nil)
    return HorsesCall.Report.Reply(text: page.document.text(call.format))
  }

  // MARK: Photos

  /// A change of a horse's photo: a new file is staged, or the photo is to be removed.
  private enum Photo {
    case staged, removed
  }

  /// Stores an upload durably as a horse's photo; nil for no upload; an empty name removes the photo.
  private func stagePhoto(
    _ upload: String?, of horse: Horse, _ team: Team, _ caller: Caller
  ) async throws -> Photo? {
    guard let upload else { return nil }
    guard !upload.isEmpty else { return .removed }
    let file = try await uploads.finished(upload, connection: caller.connection)
    guard file.bytes <= Limits.photoBytes else {
      throw ControlError.badFile(
        "'\(file.fileName)' has \(sizeText(file.bytes)), more than the \(sizeText(Limits.photoBytes)) a photo may have; "
          + "nothing was changed")
    }
    do {
      _ = try await photos.stage(fileAt: file.path, name: file.fileName, for: horse.id, of: team.id)
      try await uploads.remove(upload, connection: caller.connection)
      return .staged
    } catch let refusal as PhotoStore.Refusal {
      throw ControlError.badFile(refusal.description)
    } catch {
      log.error("a photo could not be stored: \(error)")
      throw ControlError(.storage, "the photo could not be stored: \(error); nothing was changed")
    }
  }

  /// Completes a photo change after the record is committed.
  private func settlePhoto(_ photo: Photo?, of horse: Horse, _ team: Team) {
    switch photo {
    case nil: return
    case .removed: photos.remove([horse.id], of: team.id)
    case .staged:
      do {
        try photos.keep(horse.id, of: team.id)
      } catch {
        // The record is stored; the photo is on disk and is renamed at the next start.
        log.error("\(error); the photo file of the horse is renamed at the next start")
      }
    }
  }

  // MARK: Shared helpers

  /// Number of care events in `show`; the report lists all.
  private static let careShown = 20

  private func changes(_ typed: [SettingChangeView], of team: Team) throws(ControlError) -> HorseChanges {
    try HorseChanges(typed) { (value) throws(ControlError) in
      try barn.date(value.text, of: team, field: value.key)
    }
  }

  private func record(of horse: Horse, _ team: Team) async throws -> HorseRecord {
    let today = try barn.today(of: team)
    return try await mappingErrors {
      let care = try await store.care(of: team.id, horse: horse.id, from: nil, to: nil, limit: nil)
      return HorseRecord(
        today: today, schedule: try await store.schedules(of: team.id)[horse.id] ?? FeedSchedule(), care: care,
        due: CareDue(events: care, horses: [horse], today: today).items)
    }
  }
}

/// The records about one horse.
struct HorseRecord: Sendable {
  let today: CivilDate
  let schedule: FeedSchedule
  /// Newest first.
  let care: [CareEvent]
  /// Most urgent first.
  let due: [CareDue.Item]
}
