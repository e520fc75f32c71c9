import FlowModel
import FlowPlatform
import Foundation
import PoolBackup
import PoolChemistry
import PoolInterchange
import PoolModel

/// The golden files and the archives beside them.
enum Fixtures {
  static func url(_ name: String) -> URL {
    Bundle.module.bundleURL.appendingPathComponent("Fixtures").appendingPathComponent(name)
  }

  static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }

  static func decode<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: url(name)))
  }

  /// The rows of a golden file; an unreadable file gives an empty list, which the test of its length reports.
  static func cases<Row: Decodable>(_ type: Row.Type, _ name: String) -> [Row] {
    do { return try decode(GoldenFile<Row>.self, name).cases } catch {
      print("\(name): \(error)")
      return []
    }
  }

  static func open(_ name: String) throws -> ArchiveContents {
    try ArchiveReader.read(ZIPMembers(ZIPArchive(path: url("files/\(name)").path)))
  }
}

private struct GoldenFile<Row: Decodable>: Decodable {
  var cases: [Row]
}

/// An archive's members from a dictionary.
struct ListedMembers: ArchiveMembers {
  var members: [String: [UInt8]]

  func names() -> [String] { members.keys.sorted() }

  func bytes(of name: String, limit: Int) throws -> [UInt8]? {
    guard let bytes = members[name] else { return nil }
    struct TooLong: Error {}
    guard bytes.count <= limit else { throw TooLong() }
    return bytes
  }
}

/// A pool as written in the CSV vectors.
struct VectorPool: Decodable, Hashable, Sendable {
  var customerName: String
  var address: String
  var serviceDayOfWeek: Int
  var monthlyServiceFee: Double
  var poolVolumeGallons: Double
  var latitude: Double
  var longitude: Double
  var notes: String
  var routeOrder: Int

  init(_ pool: Pool) {
    customerName = pool.customerName
    address = pool.address
    serviceDayOfWeek = pool.serviceDay.rawValue
    monthlyServiceFee = pool.monthlyServiceFee
    poolVolumeGallons = pool.volumeGallons
    latitude = pool.latitude
    longitude = pool.longitude
    notes = pool.notes
    routeOrder = pool.routeOrder
  }

  func pool(_ id: UUID) throws -> Pool {
    struct NoDay: Error {}
    guard let day = Weekday(rawValue: serviceDayOfWeek) else { throw NoDay() }
    return Pool(
      id: PoolID(id), customerName: customerName, address: address, notes: notes, latitude: latitude,
      longitude: longitude, volumeGallons: poolVolumeGallons, monthlyServiceFee: monthlyServiceFee, serviceDay: day,
      routeOrder: routeOrder, readings: RegionDefaults(region: "US").readings, cachedLSI: nil,
      createdAt: Timestamp(seconds: 1_700_000_000), updatedAt: Timestamp(seconds: 1_700_000_000))
  }
}

/// Reproducible ids: 00000000-0000-0000-0000-000000000001, 2, …
final class CountedIDs {
  private var next: UInt8 = 0
  private var high: UInt8 = 0

  func make() -> UUID {
    next &+= 1
    if next == 0 { high += 1 }
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, next))
  }
}
