import CZlib
import Glibc

/// zlib's raw inflate with its memory, freed with the last reference.
///
/// The stream state points back at the structure it was set up with, so that lives at one address for its whole life.
final class ZIPInflater {
  enum Step { case moreInput, moreOutput, finished, damaged, noMemory }

  /// What is thrown where zlib has no memory: nothing is wrong with the archive.
  static let noMemory = ZIPError.cannotRead(errno: ENOMEM)

  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(ZIPError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let outcome = poolflow_inflate_init_raw(stream)
    if outcome == Z_MEM_ERROR { throw Self.noMemory }
    precondition(outcome == Z_OK, "zlib cannot be set up (\(outcome)): it is of another version at run time")
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Inflates from `input` to `output` until one of them is used up.
  ///
  /// - Returns: what stopped it, and how many bytes of each were used.
  func run(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer)
    -> (step: Step, consumed: Int, produced: Int)
  {
    // zlib does not write to its input; its type lacks the const.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(output.count)
    let outcome = inflate(stream, Z_NO_FLUSH)
    let consumed = input.count - Int(stream.pointee.avail_in)
    let produced = output.count - Int(stream.pointee.avail_out)
    switch outcome {
    case Z_STREAM_END: return (.finished, consumed, produced)
    case Z_OK, Z_BUF_ERROR: return (produced == output.count ? .moreOutput : .moreInput, consumed, produced)
    case Z_MEM_ERROR: return (.noMemory, consumed, produced)
    default: return (.damaged, consumed, produced)
    }
  }
}
