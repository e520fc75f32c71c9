internal import FlowModel
internal import Glibc

/// How texts are written to standard output or standard error: whether it is a terminal, its size, and colours.
struct TerminalStream {
  /// The values of `--color`.
  enum Color: String {
    case auto, always, never

    init(_ text: String) throws(CommandFailure) {
      guard let color = Self(rawValue: text) else {
        throw .usage("--color is auto, always or never, not '\(visible(text))'")
      }
      self = color
    }
  }

  let isTerminal: Bool
  let showsColors: Bool
  /// The terminal's columns and lines; 80 and 24 if neither the terminal nor the environment tells them.
  let width: Int
  let height: Int

  /// - Parameter isPlain: true if the stream shows no colours unless they are asked for with `--color always`.
  init(_ descriptor: Int32, _ environment: [String: String], _ color: Color, isPlain: Bool) {
    isTerminal = isatty(descriptor) == 1
    let isAllowed = environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty && !isPlain
    showsColors =
      switch color {
      case .auto: isTerminal && isAllowed
      case .always: true
      case .never: false
      }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    func length(_ known: UInt16, _ variable: String, _ usual: Int) -> Int {
      if isKnown, known > 0 { return Int(known) }
      return environment[variable].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? usual
    }
    width = length(size.ws_col, "COLUMNS", 80)
    height = length(size.ws_row, "LINES", 24)
  }

  /// The text with its control characters escaped if it goes to a terminal.
  func escaped(_ text: String) -> String { isTerminal ? terminalText(text, colours: showsColors) : text }
}
