import FlowControl
import FlowTestKit
import Testing

struct FrameReaderTests {
  @Test func `frames are complete for any split of the input`() throws {
    var generator = SeededNumbers(seed: 11)
    for _ in 0..<200 {
      var frames: [[UInt8]] = []
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        frames.append(generator.bytes(upTo: 300, in: 1...255))
      }
      var rest: ArraySlice<UInt8> = Array(frames.joined(separator: [0]))[...]
      if !frames.isEmpty { rest.append(0) }
      var reader = FrameReader(limit: 300)
      var read: [[UInt8]] = []
      while !rest.isEmpty {
        let count = Int.random(in: 1...100, using: &generator)
        reader.append(rest.prefix(count))
        rest = rest.dropFirst(count)
        while let frame = try reader.next() { read.append(frame) }
      }
      #expect(read == frames)
      #expect(!reader.hasBytes)
    }
  }

  @Test(arguments: [0, 1, 1_000, 1 << 20])
  func `a frame of the maximum length is accepted, one byte more is refused`(limit: Int) throws {
    var reader = FrameReader(limit: limit)
    reader.append(Array(repeating: 65, count: limit) + [0])
    #expect(try reader.next()?.count == limit)
    reader.append(Array(repeating: 65, count: limit + 1) + [0])
    #expect(throws: FrameReader.Oversize(limit: limit)) { try reader.next() }
  }

  @Test func `an overlong frame is refused before its end arrives`() throws {
    var reader = FrameReader(limit: 10)
    reader.append(Array(repeating: 65, count: 10))
    #expect(try reader.next() == nil)
    reader.append([65])
    #expect(throws: FrameReader.Oversize(limit: 10)) { try reader.next() }
  }

  @Test func `any bytes are read as calls or refused, and the reader continues`() throws {
    var generator = SeededNumbers(seed: 12)
    for _ in 0..<2_000 {
      let bytes = generator.bytes(upTo: 120, in: 0...255)
      var reader = FrameReader(limit: 64)
      reader.append(bytes)
      do {
        while let frame = try reader.next() { _ = try? Envelope.head(of: frame) }
      } catch {
        #expect(error == FrameReader.Oversize(limit: 64))
      }
    }
  }
}

extension SeededNumbers {
  /// Up to `count` random bytes.
  mutating func bytes(upTo count: Int, in range: ClosedRange<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...count, using: &self) { bytes.append(UInt8.random(in: range, using: &self)) }
    return bytes
  }
}
