import FlowCommandKit
import FlowSettings

extension ManualPage {
  /// poolflow-post(1).
  static let post = ManualPage("poolflow-post.1") {
    var page = ManPage("poolflow-post", section: 1, "deliver the notices of poolflowd to people")
    page.section("Synopsis")
    page.synopsis("poolflow-post [--config FILE] [--check]")
    page.synopsis("poolflow-post [--config FILE] dead [list [--json]] | show ID [--reveal]")
    page.synopsis("poolflow-post [--config FILE] dead retry ID|--all [--late] | drop ID|--all")
    page.synopsis("poolflow-post [--config FILE] log NOTICE [--json] | status [--json]")
    page.section("Description")
    page.paragraph(
      "poolflow-post takes the events that poolflowd puts into a drop folder and delivers each to the person it is for: "
        + "by mail, ntfy, Telegram, Slack, Teams, Matrix or a signed webhook. An event for a whole team goes to the "
        + "channels that name the team. It has no access to the daemon's store, and runs curl(1) or sendmail(1) for each "
        + "message.")
    page.paragraph(
      "The recipients are stored before the first message is sent, and a message ends in one of four ways: delivered, "
        + "refused, expired, or of unknown outcome. If a server does not accept a message now, it is tried again after "
        + "5, 15 and 30 seconds, then after minutes, finally every quarter of an hour until the event expires; "
        + "Retry-After of a server is obeyed. A refused message is sent once more as short plain text.")
    page.paragraph(
      "A message counts as delivered if the service itself confirms that it accepted it: ntfy with an id, Telegram with "
        + "ok, Matrix with an event_id, Slack with ok, a mail server with its answer to the end of the mail. A web page "
        + "with status 200, such as a login page or a proxy's page, is a failure of the channel.")
    page.paragraph(
      "A mail server's refusal is judged by the command that it answers, its code and its enhanced code (RFC 3463): a "
        + "refused sender, login or relay is the channel's failure, and its mails wait; no such mailbox is the "
        + "recipient's; a full mailbox is tried again. If an answer does not show whose failure it is, another message "
        + "decides: if that is accepted, the refused one is tried three times more and is then a dead letter; if three "
        + "messages are refused, or no other message exists, the channel is broken.")
    page.paragraph(
      "A message is sent twice only if its outcome is unknown, such as after a connection that broke before the answer. "
        + "Matrix and webhooks recognise a repeat by its idempotency key, so the message is sent again with the same "
        + "key. By mail and other channels it is sent once more, with (repeat) in its title; if that outcome is unknown "
        + "as well, it is a dead letter. A mail server has AnswerTimeout to answer a whole mail; during that time the "
        + "mail is not sent again, and other mails continue.")
    page.paragraph(
      "Each channel has a health state. It is broken if it accepts nothing until a person repairs it, such as with a "
        + "wrong token; stuck once a message has been due for two minutes (DueWithin) and nothing was accepted since; "
        + "slow if some messages fail and others are accepted. A broken or stuck channel is logged and reported once "
        + "over the other channels with Operator = yes, and once more when it works again. The same is done for a team "
        + "whose notices reach no one, because it has neither an address nor a channel with Teams=, and for settings "
        + "that a reload refused. The daemon gets these reports with the receipts: pfctl status, status --check, doctor "
        + "and the metrics show them, and the daemon sends them to its other sinks and to people who want operator "
        + "notices. Only urgent messages arrive in a person's quiet hours."
    )
    page.paragraph(
      "A person with several addresses gets each message at all of them, except addresses of a channel that is another's "
        + "Fallback. The limits of the providers are kept: telegram one message a second to a chat, 20 a minute to a "
        + "group and 30 a second in all; slack one a second; teams 4 a second and 60 in 30 seconds; an ntfy server that "
        + "once answered 429 one every 5 seconds for an hour. If a server answers 429 three times within ten minutes, "
        + "its rate is halved for an hour. A server that hangs does not delay the other channels.")
    page.paragraph(
      "The result of each delivery is reported to the daemon in a folder of small files, the receipts, without "
        + "addresses, URLs or texts. A delivery that waits for a broken channel or the end of quiet hours is reported as "
        + "waiting at once, a failed one after 20 seconds, any other after a minute, with the reason. pfctl history, "
        + "why, outbox and status show it."
    )
    page.section("Commands")
    page.paragraph("For root and the user poolflow-post, whether the program runs or not.")
    page.item("dead [list]", "List the messages that could not be delivered, with the reason.")
    page.item("dead show ID", "Show one of them with its headline; the address only with --reveal.")
    page.item(
      "dead retry ID|--all",
      "Deliver it after all, with the same idempotency key. Expired messages are not sent, unless --late is given. If "
        + "poolflow-post runs, it sends at once, else when it starts.")
    page.item("dead drop ID|--all", "Delete it, with its text and address.")
    page.item(
      "log NOTICE", "Show the result of each delivery of a notice, and the state of those that are not finished.")
    page.item(
      "status",
      "Show for each channel the waiting messages, its health with the last error, and its last delivery; then what must "
        + "be repaired.")
    page.section("Options")
    page.item("--config FILE", "Settings to read instead of /etc/poolflow/post.conf.")
    page.item(
      "--check",
      "Show every mistake in the settings and the credentials that they name, and exit. Credentials are read from the "
        + "folder credentials beside the settings and from the paths in the installed unit; only root can read them."
    )
    page.item("--version", "Print the version.")
    page.item("--help", "Print a short help.")
    page.section("Settings")
    page.paragraph(
      "Sections in brackets, Key = value, comments after # or ; at the beginning of a line, as in poolflow.conf(5); "
        + "files in post.conf.d beside it are read after it. With a mistake the program does not start and exits with "
        + "78; at a reload (SIGHUP) it keeps its effective settings, and the mistake is reported in status, in pfctl "
        + "status and to the operator. A reload does not load a new credential; that takes a restart.")
    for (section, keys) in [("[Post]", PostSettingsKey.post), ("[Channel NAME]", PostSettingsKey.channel)] {
      page.section(section)
      for key in keys { page.item("\(key.name) = \(key.value)", key.words) }
    }
    page.section("Examples")
    page.paragraph("The daemon's side, in /etc/poolflow/poolflow.conf.d/post.conf:")
    page.example(
      ["[Sink post]", "Type = file-drop", "Directory = /var/spool/poolflow-post", "Sensitive = yes"])
    page.paragraph("Mail through the machine's own mail server, and a chat for the whole team:")
    page.example([
      "[Channel mail]", "Type = smtp", "Server = smtp://127.0.0.1:25", "From = Routes <routes@example.com>",
      "[Channel crew]", "Type = slack", "Credential = slack-url", "Teams = desert-blue",
    ])
    page.example(["poolflow-post --check", "systemctl enable --now poolflow-post"])
    page.section("Exit status")
    for (code, meaning) in [
      ("0", "Stopped when asked, or answered."), ("1", "The notice is unknown."), ("64", "The command line."),
      ("66", "The settings cannot be read."), ("67", "The dead letter does not exist."),
      ("69", "There is no curl."), ("74", "The state folder cannot be used."), ("75", "Another poolflow-post runs."),
      ("77", "Not permitted: the state folder is open to root and the user poolflow-post."),
      ("78", "The settings or credentials have mistakes."),
    ] {
      page.item(code, meaning)
    }
    page.section("Files")
    page.item("/etc/poolflow/post.conf", "The settings.")
    page.item("/etc/poolflow/credentials", "Secrets, one file each; the systemd unit loads them.")
    page.item("/var/spool/poolflow-post/new", "Events that wait for poolflow-post.")
    page.item(
      "/var/spool/poolflow-post/receipts",
      "Results of deliveries, until the daemon has read them, and sender.report, the health of the channels.")
    page.item("/var/lib/poolflow-post/work", "Events that are being delivered, each with its recipients.")
    page.item("/var/lib/poolflow-post/receipts", "The result of each delivery, without addresses.")
    page.item(
      "/var/lib/poolflow-post/dead", "Messages that could not be delivered, with the event and the reason, for 30 days."
    )
    page.item("/var/lib/poolflow-post/bad", "Files in the drop folder that were not events.")
    page.section("See also")
    page.paragraph("poolflowd(8), poolflow.conf(5), pfctl(1), curl(1)")
    return page
  }
}
