/// The documentation of a key of post.conf; the manual page poolflow-post(1) is generated from it.
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
        "The drop folder of poolflowd that events are taken from, out of its new/. Default: /var/spool/poolflow-post."),
    PostSettingsKey(
      name: "Receipts", value: "PATH",
      words: "Where the daemon reads what became of each delivery; it is not made here. Default: receipts/ in Folder."),
    PostSettingsKey(
      name: "StateDirectory", value: "PATH",
      words: "Where plans, receipts and dead letters live. Without it $STATE_DIRECTORY, which systemd sets, else "
        + "/var/lib/poolflow-post."),
    PostSettingsKey(
      name: "Timeout", value: "SECONDS", words: "How long one try may take, from 1s to 300s. Default: 30s."),
    PostSettingsKey(
      name: "AnswerTimeout", value: "SECONDS",
      words:
        "How long a mail server may take, beyond Timeout, to answer once it has the whole mail, from 1s to 1800s. Until then "
        + "nobody knows whether the mail arrived, so it is not sent again; other mails and channels go on. Of smtp, curl itself "
        + "waits for 120s at most. Default: 600s, the ten minutes of RFC 5321."),
    PostSettingsKey(
      name: "DueWithin", value: "TIME",
      words:
        "How long a message that is due may wait, from 1s to 1h. Where a channel accepts nothing for so long, the operator "
        + "is told by other ways, and again when it works. Default: 2min."),
  ]

  package static let channel = [
    PostSettingsKey(
      name: "Type", value: PostSettings.Kind.allCases.map(\.rawValue).joined(separator: "|"),
      words: "What the channel is. A person's address at it comes with the event; for slack, teams and webhook that is "
        + "the channel's own name, because their URL is a secret."),
    PostSettingsKey(
      name: "Server", value: "URL",
      words:
        "Of smtp smtp://HOST:PORT or smtps://HOST; of ntfy, matrix and a telegram server of one's own https://HOST. "
        + "Only to this machine itself may it go unencrypted; smtp:// to another one demands STARTTLS."),
    PostSettingsKey(
      name: "Program", value: "PATH",
      words:
        "Of sendmail: the program that takes the mail and reads from it whom it is for, run as PATH -i -t -f FROM. "
        + "The sendmail of msmtp works; that of postfix, exim and others needs rights that poolflow-post.service does not "
        + "have, so use smtp with Server = smtp://127.0.0.1:25 for them. Default: /usr/sbin/sendmail."),
    PostSettingsKey(
      name: "Authority", value: "PATH",
      words:
        "Certificates (PEM) of an authority of one's own, which are trusted in the place of the machine's. With it "
        + "smtp:// demands STARTTLS of this machine itself, too."),
    PostSettingsKey(
      name: "Credential", value: "NAME",
      words:
        "A file that the unit hands over, LoadCredential=NAME:FILE. Of smtp it holds USER:PASSWORD, of ntfy, telegram "
        + "and matrix a token, of slack and teams the URL, of webhook the URL and in further lines secrets that begin with "
        + "whsec_; with several, each signs. systemd hands it over at a start: after a change of it, restart poolflow-post."
    ),
    PostSettingsKey(
      name: "From", value: "ADDRESS",
      words: "Of smtp and sendmail: who the mail is from, such as Routes <routes@example.com>."),
    PostSettingsKey(
      name: "ReplyTo", value: "ADDRESS",
      words:
        "Of smtp and sendmail: who reads what is answered, such as Office <office@example.com>. Without it that is From."
    ),
    PostSettingsKey(
      name: "Unsubscribe", value: "ADDRESS|URL",
      words:
        "Of smtp and sendmail: where a reader's button for no more mail leads, an address, a URL that begins with https://, "
        + "or both with a blank between them. The address gets a mail whose subject is `stop` with team and person, such as "
        + "desert-blue.t12; nothing else happens by itself. To the URL these two are put at the end, such as "
        + "https://example.com/stop?who=desert-blue.t12, and it has to take POST (RFC 8058); readers "
        + "believe it where the relay signs both headers (DKIM). Without it there is no button."
    ),
    PostSettingsKey(
      name: "Detail", value: "headline|stops|full",
      words:
        "How much it tells. headline: title and one sentence. stops: names, addresses and what is to be done. full: "
        + "gate codes, telephone numbers and notes, too, by mail and webhook alone. Default: stops of mail, else headline."
    ),
    PostSettingsKey(
      name: "Teams", value: "TEAM…",
      words:
        "Teams whose events for nobody alone come to this channel: the team's own board. Its office is told them at "
        + "addresses of its own as well; what is one address and the same is told once."),
    PostSettingsKey(
      name: "To", value: "ADDRESS",
      words: "Whom those go to: an address of mail, a topic of ntfy, a chat of telegram, a room of matrix."),
    PostSettingsKey(
      name: "Fallback", value: "NAME",
      words:
        "The channel that brings what this one does not: what is refused, is not handed over after FallbackAfter, or has "
        + "come while the channel is broken. The person's address there gets it, and has nothing of it before; whichever is "
        + "brought first ends the other. For somebody without an address there, its To, or the URL of slack, teams and "
        + "webhook, is told the headline alone and who was not reached, and the first goes on being tried."),
    PostSettingsKey(
      name: "FallbackAfter", value: "TIME",
      words: "How long a channel has, from 1s to 12h, but never more than half of the time that the event is good for. "
        + "Default: 10min."),
    PostSettingsKey(
      name: "Unknown", value: "repeat|stop",
      words:
        "What follows where nobody knows whether a message arrived, such as after a connection that broke before the answer. "
        + "repeat: matrix and webhook, which know a repeat by its key, are asked again under the same key; by the others it is "
        + "sent once more, with (repeat) in its title and, by mail, the same Message-ID. If that is unknown as well, it is a "
        + "dead letter. stop: it is never sent again, and is a dead letter at once; for a webhook to an SMS gateway. "
        + "Default: repeat."),
    PostSettingsKey(
      name: "Operator", value: "yes|no",
      words:
        "Whether it is told that another channel is broken, or works again, and has what poolflowd tells its operator. "
        + "Default: no."),
  ]
}
