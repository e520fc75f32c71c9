import FlowModel
import FlowSettings

extension SendVerdict {
  /// Judges an SMTP transfer by the server's reply or, without one, by curl's exit code.
  static func mail(_ exit: Int, _ result: TransferResult) -> SendVerdict {
    if exit == 0 {
      return result.isWhole ? .delivered : .later("the mail was not sent completely", affectsWholeServer: true)
    }
    let dialogue = result.dialogue
    if let verdict = dialogue.reply?.verdict(to: dialogue.stage) { return verdict }
    switch exit {
    case 64: return .broken("the mail server offers no encryption")
    case 67: return .broken("the mail server refused the login")
    // The server may have accepted the mail only after it received the final dot (RFC 5321 §4.1.1.4).
    case _ where dialogue.mayHaveMail && result.isWhole:
      return .unknown("the connection ended before the mail server accepted the mail (curl \(exit))")
    case 8, 18, 28, 52, 55, 56, 92:
      return .later("the mail server does not answer (curl \(exit))", affectsWholeServer: true)
    default: return transport(exit, TransferResult(exit: exit))
    }
  }

  /// Judges a run of sendmail by the server's reply in its output or, without one, by its exit code.
  ///
  /// Source: sysexits(3) and msmtp(1), whose 69 is a temporary error although sysexits(3) calls it permanent.
  static func sendmail(_ result: TransferResult) -> SendVerdict {
    guard let exit = result.exit else {
      return .unknown(
        result.isHung
          ? "sendmail does not exit; that of postfix or exim needs rights for sending that this service does "
            + "not have: use Type = smtp with Server = smtp://127.0.0.1:25" : "sendmail was killed", of: .channel)
    }
    if exit != 0, let verdict = result.dialogue.reply?.verdict(to: result.dialogue.stage) { return verdict }
    switch exit {
    case 0: return .delivered
    case 65: return .refused("sendmail refused the mail (65)")
    case 67: return .noSuchAddress("no such mailbox (sendmail 67)")
    // sendmail's 76: the connection ended, possibly after the text was sent.
    case 76: return .unknown("the connection ended before the mail server accepted the mail (sendmail 76)")
    case 64: return .broken("sendmail does not support -i -t -f (64)")
    case 77, 78: return .broken("sendmail's own settings or login are wrong (\(exit))")
    case 126, 127: return .broken("sendmail cannot be run (\(exit))")
    default: return .later("sendmail does not accept the mail yet (\(exit))", affectsWholeServer: true)
    }
  }
}
