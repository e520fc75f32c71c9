import FlowFuzzing
import Foundation

// A Swift package renames a target's main to TARGET_main, so libFuzzer's main is not linked: this main calls its driver.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<CommandLineArguments>,
  _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private typealias CommandLineArguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// The input to fuzz, from `POOLFLOW_FUZZ_INPUT`.
private let input: FuzzInput = {
  let name = ProcessInfo.processInfo.environment["POOLFLOW_FUZZ_INPUT"] ?? ""
  guard let input = FuzzInput(rawValue: name) else {
    print("POOLFLOW_FUZZ_INPUT is none of \(FuzzInput.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(64)
  }
  return input
}()

/// How many times slower than a release build this build may be.
private let limit = TimeLimit(
  slack: ProcessInfo.processInfo.environment["POOLFLOW_FUZZ_SLACK"].flatMap { Int($0) } ?? 10)

@_cdecl("poolflow_fuzz_main")
func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments) { bytes, count in
    let copy = Array(UnsafeBufferPointer(start: bytes, count: count))
    do throws(BrokenLaw) {
      try input.check(copy, limit)
    } catch {
      // libFuzzer saves the input of a process that aborts.
      print("broken law: \(error)")
      fflush(nil)
      abort()
    }
    return 0
  }
}
