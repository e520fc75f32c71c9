import CZlib
import FlowPlatform

/// A picture of at most 256 colours as a PNG file: a palette, one byte per pixel, no transparency. The file holds no time and
/// no data of the machine, so that the same picture gives the same bytes.
///
/// Source: PNG (Third Edition), W3C 2025, §5 and §11.
enum PNGFile {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Encodes a picture as a PNG file.
  static func bytes(_ canvas: Canvas) -> [UInt8] {
    // Bit depth 8, colour type 3 (palette), and the only defined methods of compression, filtering and interlacing.
    let header = number(canvas.width) + number(canvas.height) + [8, 3, 0, 0, 0]
    var lines: [UInt8] = []
    lines.reserveCapacity((canvas.width + 1) * canvas.height)
    for row in 0..<canvas.height {
      // Filter type 0, none: neighbouring palette indices have unrelated colours.
      lines.append(0)
      lines += canvas.pixels[row * canvas.width..<(row + 1) * canvas.width]
    }
    return signature + chunk("IHDR", header)
      + chunk("PLTE", canvas.palette.flatMap { [$0.red, $0.green, $0.blue] })
      + chunk("IDAT", ZlibFormat.compress(lines, .usual)) + chunk("IEND", [])
  }

  /// Returns a number as four bytes, big-endian.
  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Returns a chunk with its length and checksum.
  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + bytes
    let sum = named.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    return number(bytes.count) + named + number(Int(sum))
  }
}
