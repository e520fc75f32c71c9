internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolModel

/// `pfctl pool show`: shows everything about one pool.
enum PoolShowCommand: Command {
  static let description = CommandDescription(
    "pool show", "show one pool, named by its customer's name, id or the beginning of either",
    operands: [.init("POOL")],
    options: [
      .init("team", "TEAM", "whose pool"),
      .init("reveal", nil, "show phone, e-mail, gate access and notes, too"),
    ],
    examples: ["pfctl pool show 'Steve Baird' --team desert-blue"])

  static let documents: [JSONDocument] = [.init("pool", PoolsCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let call = PoolsCall.Show(team: team, pool: arguments.operand(0) ?? "", reveal: arguments.has("reveal"))
    guard let reply = try session.ask(call, as: "pool") else { return }
    let console = session.console
    let details = reply.details
    DetailList.show(rows(of: details), texts: ["notes"], on: console)
    showVisits(details, on: console)
    if !arguments.has("reveal"), details.profile != nil {
      console.note("phone, e-mail, gate access and notes are hidden; --reveal shows them")
    }
  }

  private static func rows(of details: PoolDetailsView) -> [(String, String)] {
    let pool = details.pool
    var rows = [
      ("customer", pool.customer), ("address", pool.address), ("id", pool.id), ("team", details.team),
      ("technician", pool.technician), ("day", "\(pool.day), stop \(pool.order)"),
    ]
    if let service = details.service { rows += self.rows(of: service) }
    rows += [
      ("volume", TextFormat.volume(of: pool)),
      ("fee", "\(details.feeText) a month"),
    ]
    if let money = details.money { rows += self.rows(of: money) }
    if let latitude = details.latitude, let longitude = details.longitude {
      rows.append(("place", "\(TextFormat.decimal(latitude, places: 5)), \(TextFormat.decimal(longitude, places: 5))"))
    } else {
      rows.append(("place", "not located"))
    }
    let solids =
      details.readings?.totalDissolvedSolids.map { ", solids \(TextFormat.decimal($0, places: 0)) ppm" } ?? ""
    rows.append(("water", details.water + solids))
    if let measured = details.readingsLocal, let days = details.readingsDays {
      rows.append(("measured", "\(measured), \(days == 0 ? "today" : TextFormat.count(days, "day") + " ago")"))
    }
    let condition = details.condition.map { ", " + LSICommand.words($0) } ?? ""
    rows.append(("LSI", TextFormat.index(pool.lsi) + condition))
    if let profile = details.profile {
      rows.append(("contact", profile.contactName))
      if let phone = profile.contactPhone { rows.append(("phone", phone)) }
      if let email = profile.contactEmail { rows.append(("e-mail", email)) }
      if let gate = profile.gateAccess { rows.append(("gate", gate)) }
      rows.append(("arrival", profile.arrivalWindow))
      if !profile.tags.isEmpty { rows.append(("tags", profile.tags.joined(separator: ", "))) }
    }
    if let notes = details.notes { rows.append(("notes", notes)) }
    for (index, item) in details.equipment.enumerated() {
      rows.append((index == 0 ? "equipment" : "", words(of: item)))
    }
    for (index, work) in (details.work ?? []).enumerated() {
      rows.append((index == 0 ? "work" : "", WorkTexts.words(of: work)))
    }
    rows.append(("visits", TextFormat.grouped(details.visits)))
    return rows
  }

  /// The dates of service of a pool that is not simply served every week, and its pauses.
  private static func rows(of service: PoolServiceView) -> [(String, String)] {
    [("service", "\(service.words); \(ServiceTexts.next(service.next))")]
      + service.pauses.filter { !$0.over }.enumerated().map { index, pause in
        (index == 0 ? "paused" : "", ServiceTexts.words(of: pause))
      }
      + (service.changes ?? []).filter(\.effective).enumerated().map { index, change in
        let reason = change.reason.isEmpty ? "" : " (\(visible(change.reason)))"
        return (index == 0 ? "changed" : "", "\(StopTexts.effect(of: change))\(reason), change \(change.number)")
      }
  }

  /// The monthly fee against the chemical cost of a period, as `profit` shows them.
  private static func rows(of money: PoolMoneyView) -> [(String, String)] {
    let note = money.red ? ", in the red" : money.loser ? ", chemicals above 30 % of the fee" : ""
    return [
      ("chemicals", "\(money.chemicalsText) in the last \(TextFormat.count(money.days, "day"))"),
      ("profit", money.profitText + note),
    ]
  }

  /// `Booster (pump, Pentair): service overdue since 2026-02-01, out of warranty since 2025-03-01`.
  private static func words(of item: EquipmentView) -> String {
    let maker = [item.manufacturer, item.model].filter { !$0.isEmpty }.joined(separator: " ")
    let name = "\(item.name) (\(EquipmentType.shown(item.kind))\(maker.isEmpty ? "" : ", \(maker)"))"
    var badges: [String] = []
    if let date = item.service, item.overdue == true { badges.append("service overdue since \(date)") }
    if let date = item.service, item.dueSoon == true { badges.append("service due soon, \(date)") }
    if let date = item.warranty, item.expired == true { badges.append("out of warranty since \(date)") }
    return badges.isEmpty ? name : "\(name): \(badges.joined(separator: ", "))"
  }

  private static func showVisits(_ details: PoolDetailsView, on console: Console) {
    guard !details.recentVisits.isEmpty else { return }
    console.line()
    let sanitiser = SanitiserColumns(details.recentVisits.map { ($0.freeChlorine, $0.salt) })
    var table = Table(
      [.init("VISIT"), .init("LSI", isNumber: true)] + sanitiser.headings
        + [.init("CHEMICALS", isNumber: true), .init("PHOTO", rank: 1)])
    for visit in details.recentVisits {
      table.add(
        [.init(visit.local), .init(TextFormat.index(visit.lsi))] + sanitiser.cells(visit.freeChlorine, visit.salt)
          + [.init(visit.costText), .init(visit.photo ? "yes" : "-")])
    }
    console.table(table)
  }
}
