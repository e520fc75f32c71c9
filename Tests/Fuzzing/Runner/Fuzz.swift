import Foundation
import PoolFuzzing

// libFuzzer's main is lost in a Swift package, where a target's own is called TARGET_main: ours hands over to its driver.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<CommandLineArguments>,
  _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private typealias CommandLineArguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// What this process fuzzes, as `POOLFLOW_FUZZ_INPUT` names it.
private let input: FuzzInput = {
  let name = ProcessInfo.processInfo.environment["POOLFLOW_FUZZ_INPUT"] ?? ""
  guard let input = FuzzInput(rawValue: name) else {
    print("POOLFLOW_FUZZ_INPUT is none of \(FuzzInput.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(64)
  }
  return input
}()

/// How many times slower than a release build this one may be.
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
      // libFuzzer keeps the input of a process that aborts.
      print("broken law: \(error)")
      fflush(nil)
      abort()
    }
    return 0
  }
}
