/// What a key of post.conf means: poolflow-post(1) is made of this.
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
      name: "Credential", value: "NAME",
      words:
        "A file that the unit hands over, LoadCredential=NAME:FILE. Of smtp it holds USER:PASSWORD, of ntfy, telegram "
        + "and matrix a token, of slack and teams the URL, of webhook the URL and in further lines secrets that begin with "
        + "whsec_; with several, each signs."),
    PostSettingsKey(
      name: "From", value: "ADDRESS", words: "Of smtp: who the mail is from, such as Routes <routes@example.com>."),
    PostSettingsKey(
      name: "Detail", value: "headline|stops|full",
      words:
        "How much it tells. headline: title and one sentence. stops: names, addresses and what is to be done. full: "
        + "gate codes, telephone numbers and notes, too, by smtp and webhook alone. Default: stops of smtp, else headline."
    ),
    PostSettingsKey(
      name: "Teams", value: "TEAM…", words: "Teams whose events for nobody alone come to this channel."),
    PostSettingsKey(
      name: "To", value: "ADDRESS",
      words: "Whom those go to: an address of mail, a topic of ntfy, a chat of telegram, a room of matrix."),
    PostSettingsKey(
      name: "Operator", value: "yes|no",
      words:
        "Whether it is told that another channel is broken, or works again, and has what poolflowd tells its operator. "
        + "Default: no."),
  ]
}
