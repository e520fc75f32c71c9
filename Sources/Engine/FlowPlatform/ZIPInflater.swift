import CZlib
import Glibc

/// A raw inflate stream of zlib, freed with the last reference.
///
/// zlib's state points back at its `z_stream`, so the structure stays at one heap address.
final class ZIPInflater {
  /// The reason why `run` returned.
  enum Step { case moreInput, moreOutput, finished, damaged, noMemory }

  /// Thrown if zlib runs out of memory; the archive is not at fault.
  static let noMemory = ZIPError.cannotRead(errno: ENOMEM)

  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(ZIPError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let outcome = poolflow_inflate_init_raw(stream)
    if outcome == Z_MEM_ERROR { throw Self.noMemory }
    precondition(outcome == Z_OK, "zlib cannot be set up (\(outcome)): its version differs at run time")
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Inflates from `input` to `output` until one of them is exhausted.
  ///
  /// - Returns: the reason for stopping, and the number of bytes read and written.
  func run(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer)
    -> (step: Step, consumed: Int, produced: Int)
  {
    // zlib does not modify its input, but its type lacks the const.
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
