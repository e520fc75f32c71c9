import FlowModel
import FlowNotices
import FlowSettings
import Foundation
import Testing
import TradeCommands

@testable import FlowPost

let noon = Timestamp(seconds: 1_795_435_200)  // 2026-11-23T12:00:00Z

/// A morning event of the demo team, as a sensitive drop folder contains it.
private let morning = Result { () throws -> Data in
  let file = try #require(Bundle.module.url(forResource: "Fixtures/team", withExtension: "json"))
  return try Data(contentsOf: file)
}

/// The event's bytes, optionally for a person and with other values of its data.
func eventBytes(
  id: String = "e1", recipient: [String: Any]? = nil, changing changes: [String: Any] = [:], expires: String? = nil
) throws -> [UInt8] {
  var event = try #require(try JSONSerialization.jsonObject(with: morning.get()) as? [String: Any])
  var data = try #require(event["data"] as? [String: Any])
  data["recipient"] = recipient
  for (key, value) in changes { data[key] = value }
  event["data"] = data
  event["id"] = id
  event["expirytime"] = expires ?? event["expirytime"]
  return Array(try JSONSerialization.data(withJSONObject: event))
}

func event(
  id: String = "e1", recipient: [String: Any]? = nil, changing changes: [String: Any] = [:]
) throws -> PostEvent {
  try event(in: try eventBytes(id: id, recipient: recipient, changing: changes), id: id)
}

/// The event in a file, with its details.
func event(in bytes: [UInt8], id: String = "e1") throws -> PostEvent {
  try PostEvent(bytes, name: id).withDetails(in: bytes, .ofAllTrades)
}

func person(_ addresses: [(String, String)], quiet: String? = nil) -> [String: Any] {
  var person: [String: Any] = [
    "key": "t12", "name": "María", "technician": "maria", "language": "es",
    "addresses": addresses.map { ["channel": $0.0, "address": $0.1] },
  ]
  if let quiet { person["quiet"] = quiet }
  return person
}

func settings(_ text: String) throws -> PostSettings {
  let (settings, problems) = PostSettings.read(text, name: "post.conf")
  try #require(problems.isEmpty, "\(problems)")
  return settings
}

/// An event's mail for Maria.
func mail(
  _ event: PostEvent, detail: PostSettings.Detail = .stops, from: String = "Büro <r@example.com>",
  calendar: [UInt8] = [], _ change: (inout MailMessage) -> Void = { _ in }
) throws -> MailMessage {
  let delivery = Delivery(
    event: event, recipient: event.data.recipient?.key ?? "*", channel: "mail", kind: "smtp",
    address: "maria@example.com", quiet: nil, takenAt: noon)
  var mail = MailMessage(
    event: event, delivery: delivery, from: try #require(PostAddress(from)),
    to: try #require(PostAddress("maria@example.com")), detail: detail, calendar: calendar)
  change(&mail)
  return mail
}

/// The decoded parts of a mail in order, with their types.
func parts(_ mail: MailMessage) -> [(type: String, bytes: [UInt8])] {
  String(decoding: mail.bytes(), as: UTF8.self).components(separatedBy: "\r\n--").compactMap { part in
    let halves = part.components(separatedBy: "\r\n\r\n")
    guard halves.count > 1, let type = halves[0].firstMatch(of: /Content-Type: ([a-z\/]+)/)?.1,
      let bytes = Data(base64Encoded: halves[1].replacingOccurrences(of: "\r\n", with: ""))
    else { return nil }
    return (String(type), Array(bytes))
  }
}

func html(_ mail: MailMessage) throws -> String {
  String(decoding: try #require(parts(mail).first { $0.type == "text/html" }).bytes, as: UTF8.self)
}

/// A planned delivery for a channel of this kind.
func delivery(
  _ id: String = "e1", kind: String = "webhook", channel: String = "hook", recipient: String = "t12",
  address: String = "hook", at time: Timestamp = noon, quiet: QuietTime? = nil
) throws -> Delivery {
  var bytes = try eventBytes(id: id)
  bytes = Array(
    String(decoding: bytes, as: UTF8.self).replacingOccurrences(
      of: "\"time\":\"2026-11-23T15:31:08.409Z\"", with: "\"time\":\"\(time)\""
    ).utf8)
  return Delivery(
    event: try PostEvent(bytes, name: id), recipient: recipient, channel: channel, kind: kind, address: address,
    quiet: quiet, takenAt: noon)
}
