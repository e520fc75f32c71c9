extension InterfaceDescription {
  /// `org.poolflow.Control`, as the daemon serves it: errors that any call may answer.
  package static let control = InterfaceDescription(
    name: "org.poolflow.Control",
    text: """
      # Errors that any call of poolflow may answer.
      interface org.poolflow.Control

      # A value is not one of those allowed; `field` names the parameter or setting.
      error BadValue (message: string, field: string, value: string, why: string)

      # The caller may not use this socket.
      error NotPermitted (message: string)

      # Too much at once; trying again later helps.
      error Busy (message: string)

      # The machine's clock was never set, so nothing can be due.
      error ClockImplausible (message: string)

      # The store could not be read or written; nothing was changed.
      error Storage (message: string)

      # An answer or a frame passes its bound.
      error TooLarge (message: string)

      # The daemon is stopping.
      error Stopping (message: string)

      # This changes something, and who answers only reads the store of a daemon that does not run.
      error NotRunning (message: string)

      # A fault of the daemon; its journal knows more.
      error Internal (message: string)
      """)
}
