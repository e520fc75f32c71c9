/// The documentation of a key of post.conf; the manual page poolflow-post(1) is generated from it.
///
/// It is not a `Setting`, which parses its line alone: whether a channel's key is valid, required or has a default depends on
/// the channel's type, which may be a later line. `PostSettings` therefore reads each section as a whole.
package struct PostSettingsKey: Sendable {
  package let name: String
  /// What its value is called.
  package let value: String
  /// One line or more, in sentences.
  package let words: String

  package static let post = [
    PostSettingsKey(
      name: "Folder", value: "PATH",
      words:
        "The drop folder of poolflowd; events are taken from its new/. Default: /var/spool/poolflow-post."),
    PostSettingsKey(
      name: "Receipts", value: "PATH",
      words: "The folder where the daemon reads the outcome of each delivery; it must exist. "
        + "Default: receipts/ in Folder."),
    PostSettingsKey(
      name: "StateDirectory", value: "PATH",
      words: "The folder of plans, receipts and dead letters. Default: $STATE_DIRECTORY, which systemd sets, else "
        + "/var/lib/poolflow-post."),
    PostSettingsKey(
      name: "Timeout", value: "SECONDS", words: "How long one try may take, from 1s to 300s. Default: 30s."),
    PostSettingsKey(
      name: "AnswerTimeout", value: "SECONDS",
      words:
        "How long a mail server may take, beyond Timeout, to answer once it has the whole mail, from 1s to 1800s. Until then it is "
        + "unknown whether the mail arrived, so it is not sent again; other mails and channels go on. For smtp, curl itself "
        + "waits for 120s at most. Default: 600s, the ten minutes of RFC 5321."),
    PostSettingsKey(
      name: "DueWithin", value: "TIME",
      words:
        "How long a message that is due may wait, from 1s to 1h. If a channel accepts nothing for that long, the operator "
        + "is notified by other channels, and again when it works. Default: 2min."),
  ]

  package static let channel = [
    PostSettingsKey(
      name: "Type", value: PostSettings.Kind.allCases.map(\.rawValue).joined(separator: "|"),
      words: "The kind of channel. The event contains each person's address; for slack, teams and webhook that is "
        + "the channel's own name, because their URL is a secret."),
    PostSettingsKey(
      name: "Server", value: "URL",
      words:
        "For smtp: smtp://HOST:PORT or smtps://HOST; for ntfy, matrix and your own telegram server: https://HOST. "
        + "Unencrypted connections are allowed only to this machine; smtp:// to another one requires STARTTLS."),
    PostSettingsKey(
      name: "Program", value: "PATH",
      words:
        "For sendmail: the program that sends the mail to the recipients in its headers, run as PATH -i -t -f FROM. "
        + "The sendmail of msmtp works; that of postfix, exim and others needs rights that poolflow-post.service does not "
        + "have, so use smtp with Server = smtp://127.0.0.1:25 for them. Default: /usr/sbin/sendmail."),
    PostSettingsKey(
      name: "Authority", value: "PATH",
      words:
        "Certificates (PEM) of your own authority, which are trusted instead of the machine's. With it, "
        + "smtp:// requires STARTTLS of this machine, too."),
    PostSettingsKey(
      name: "Credential", value: "NAME",
      words:
        "A systemd credential: LoadCredential=NAME:FILE in the unit. For smtp it holds USER:PASSWORD, for ntfy, telegram "
        + "and matrix a token, for slack and teams the URL, for webhook the URL and in further lines secrets that begin with "
        + "whsec_; with several, each one signs. systemd reads it at a start: after a change, restart poolflow-post."
    ),
    PostSettingsKey(
      name: "From", value: "ADDRESS",
      words: "For smtp and sendmail: the sender of the mail, such as Routes <routes@example.com>."),
    PostSettingsKey(
      name: "ReplyTo", value: "ADDRESS",
      words:
        "For smtp and sendmail: who gets the replies, such as Office <office@example.com>. Default: the address of From."
    ),
    PostSettingsKey(
      name: "Unsubscribe", value: "ADDRESS|URL",
      words:
        "For smtp and sendmail: the target of the unsubscribe button: an address, a URL that begins with https://, "
        + "or both, separated by a space. The address gets a mail with the subject `stop`, team and person, such as "
        + "desert-blue.t12; nothing else happens by itself. Team and person are appended to the URL, such as "
        + "https://example.com/stop?who=desert-blue.t12, and it must accept POST (RFC 8058); mail programs "
        + "show the button only if the relay signs both headers (DKIM). Without this key there is no button."
    ),
    PostSettingsKey(
      name: "Detail", value: "headline|stops|full",
      words:
        "How much a message contains. headline: title and one sentence. stops: names, addresses and tasks. full: "
        + "also gate codes, telephone numbers and notes, only by mail and webhook. Default: stops for mail, else headline."
    ),
    PostSettingsKey(
      name: "Teams", value: "TEAM…",
      words:
        "Teams whose notices for the whole team go to this channel, the team's board. Their office gets these notices at "
        + "its own addresses as well; the same address gets a notice only once."),
    PostSettingsKey(
      name: "To", value: "ADDRESS",
      words: "The recipient of those notices: a mail address, a topic of ntfy, a chat of telegram, a room of matrix."),
    PostSettingsKey(
      name: "Fallback", value: "NAME",
      words:
        "The channel that delivers in place of this one: a message that is refused, is not sent within FallbackAfter, or "
        + "comes while this channel is broken. It goes to the person's address there, unless that got it before; the first "
        + "successful delivery ends the other. If the person has no address there, its To, or the URL of slack, teams and "
        + "webhook, gets only the headline and the person's name, and this channel is still tried."),
    PostSettingsKey(
      name: "FallbackAfter", value: "TIME",
      words: "How long this channel is tried before its fallback, from 1s to 12h, at most half of the "
        + "time until the event expires. "
        + "Default: 10min."),
    PostSettingsKey(
      name: "Unknown", value: "repeat|stop",
      words:
        "What to do if it is unknown whether a message arrived, such as after a connection that broke before the answer. "
        + "repeat: matrix and webhook, which recognise a repeat by its key, get it again with the same key; the other kinds get it "
        + "once more, with (repeat) in its title and, by mail, the same Message-ID. If that outcome is unknown as well, it is a "
        + "dead letter. stop: it is not sent again and is a dead letter at once; use this for a webhook to an SMS gateway. "
        + "Default: repeat."),
    PostSettingsKey(
      name: "Operator", value: "yes|no",
      words:
        "Whether this channel gets the notices of poolflowd to its operator, and reports that another channel is broken or works again. "
        + "Default: no."),
  ]
}
