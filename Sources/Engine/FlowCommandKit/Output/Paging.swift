/// The pager of a command: it starts when the output is higher than the terminal and nothing was written past it.
struct Paging {
  /// The height in lines of the terminal; nil disables the pager.
  let height: Int?
  let environment: [String: String]
  private var lines = 0
  private(set) var pager: Pager?
  var wroteDirectly = false
  /// Messages held back until the pager has released the terminal.
  var heldNotes = ""

  init(height: Int?, environment: [String: String]) {
    self.height = height
    self.environment = environment
  }

  /// Counts a line, and starts the pager at the line that no longer fits.
  mutating func count() {
    lines += 1
    guard let height, lines >= height, pager == nil, !wroteDirectly else { return }
    pager = Pager.command(environment).flatMap { Pager($0, environment: environment) }
  }

  /// Waits for the pager to exit.
  ///
  /// - Returns: the messages held back.
  mutating func finish() -> String {
    pager?.finish()
    pager = nil
    defer { heldNotes = "" }
    return heldNotes
  }
}
