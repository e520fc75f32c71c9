import FlowTestKit
import Foundation
import Glibc
import Testing

@testable import FlowPost

/// A server that takes one request and returns its bytes to the test.
private final class Echo: Sendable {
  let port: UInt16
  private let listener: Int32

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listener, own) = (listener, size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, own) == 0 && listen(listener, 4) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    try #require(bound)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(listener) }

  /// The head of the next request, answered with 204.
  func head() -> String {
    let connection = accept(listener, nil, nil)
    defer { close(connection) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    let answer = Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8)
    _ = write(connection, answer, answer.count)
    return String(decoding: bytes, as: UTF8.self)
  }
}

struct QuotingTests {
  @Test(.requires(.curl))
  func `any header value passes through curl unchanged and without a message`() throws {
    let echo = try Echo()
    for seed in 0..<20 as Range<UInt64> {
      var numbers = SeededNumbers(seed: seed)
      // All characters allowed in a header, with a preference for curl's special ones.
      let signs = (0x20...0x7E).map { Character(Unicode.Scalar(UInt8($0))) } + Array(#"""\\\"'#= @<>{}[]%:,;"#) + ["ñ"]
      let values = (0..<40).map { _ in
        let text = String(
          (0..<Int.random(in: 1...60, using: &numbers)).map { _ in signs.randomElement(using: &numbers) ?? "x" })
        // Blanks at the ends are no part of a header's value.
        return "x" + text + "x"
      }
      var request = PostRequest(url: "http://127.0.0.1:\(echo.port)/", body: [])
      request.headers = values.enumerated().map { "X-\($0.offset): \($0.element)" }
      request.isLocal = true
      let config = try CurlConfig(request, timeout: .seconds(30)).text
        .replacingOccurrences(of: Transfer.bodyPath, with: "/dev/null")
        .replacingOccurrences(of: Transfer.answerPath, with: "/dev/null")
      let curl = Process()
      let (input, output, errors) = (Pipe(), Pipe(), Pipe())
      curl.executableURL = URL(filePath: Transfer.curl)
      curl.arguments = ["-q", "--config", "-"]
      (curl.standardInput, curl.standardError, curl.standardOutput) = (input, errors, output)
      try curl.run()
      try input.fileHandleForWriting.write(contentsOf: Data(config.utf8))
      try input.fileHandleForWriting.close()
      let lines = echo.head().components(separatedBy: "\r\n")
      let report = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      curl.waitUntilExit()
      for header in request.headers { #expect(lines.contains(header), "seed \(seed): \(header)") }
      #expect(report.hasPrefix("0 204 ") && report.split(separator: "\n").count == 1, "seed \(seed): \(report)")
      #expect(said.isEmpty, "seed \(seed): \(said)")
    }
  }
}
