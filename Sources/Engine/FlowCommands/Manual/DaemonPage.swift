import FlowCommandKit

extension ManualPage {
  /// poolflowd(8).
  static let poolflowd = ManualPage("poolflowd.8") {
    var page = ManPage("poolflowd", section: 8, "notify pool-service teams of what they need to know")
    page.section("Synopsis")
    page.synopsis(
      "poolflowd [--config FILE] [--state-dir DIR] [--socket PATH] [--inspect | --recover COMMAND | --copy-store PLACE]"
    )
    page.section("Description")
    page.paragraph(
      "poolflowd stores the pools, visits and stock of pool-service teams and notifies each team, at the right local "
        + "time and exactly once, of what it needs to know: the morning route, tomorrow's missing chemicals, the weekly "
        + "digest, the end of a trial. It runs under systemd or in a terminal, as any user, and needs no network.")
    page.paragraph("It is controlled with pfctl(1), and configured by poolflow.conf(5).")
    page.section("Options")
    page.item("--config FILE", "Settings to read.")
    page.item("--state-dir DIR", "The folder of the store, the photos and the drop folder.")
    page.item("--socket PATH", "The control socket.")
    page.item(
      "--inspect",
      "For pfctl: answer read-only questions about the store of a stopped daemon, at the listening socket with "
        + "descriptor 3, until standard input closes.")
    page.item(
      "--recover retry", "Check whether the store is undamaged again, finish an interrupted restore, and exit.")
    page.item(
      "--recover restore BACKUP",
      "Replace the store by that of a backup, named by its folder, and exit; the previous store is kept beside it with a "
        + "date. Everything is verified before anything is changed; a crash leaves one store or the other. Missing "
        + "photos are restored from the backup's archives; notices that the backup lists as undelivered are put on hold. "
        + "Stop the service first. If root runs it, the files belong to the service's user afterwards; that user may run "
        + "it, too.")
    page.item("--recover reset", "Move the present store aside, create an empty one, and exit.")
    page.item(
      "--copy-store PLACE",
      "For pfctl store copy, see pfctl-store(1): copy the records to another engine while no daemon uses them, report as "
        + "JSON what was copied, and exit.")
    page.item("--version", "Print the version.")
    page.item("--help", "Print a short help.")
    page.section("Signals")
    page.item("SIGTERM, SIGINT", "Finish running work, deliver due notices for at most two seconds, and exit.")
    page.item("SIGHUP", "Reload the settings, all or nothing; pfctl reload does the same and lists the changes.")
    page.section("Exit status")
    for (code, meaning) in [
      ("0", "Stopped when asked."), ("64", "The command line."),
      ("65", "The store is damaged, missing or not a poolflow store."),
      ("66", "The settings named by --config cannot be read."),
      ("69", "The PostgreSQL server does not answer or accepts no writes; a later start may succeed."),
      ("70", "A fault of the daemon."),
      ("73", "The socket cannot be made."), ("74", "Reading or writing failed."),
      ("75", "Another daemon runs; try later."),
      ("77", "No permission."),
      ("78", "The settings have mistakes, the server cannot be used, libpq is missing, or no /proc is mounted."),
    ] {
      page.item(code, meaning)
    }
    page.section("Instances")
    page.paragraph(
      "One machine can run several daemons, one for each business that it serves. The unit poolflowd@NAME is a daemon "
        + "with its own settings, store, socket and journal; NAME consists of lower-case letters, digits, - and _, and "
        + "is not post, which poolflow-post has taken.")
    page.example([
      "systemctl enable --now poolflowd@north",
      "pfctl --instance north team add north --zone America/Boise", "journalctl -u poolflowd@north",
    ])
    for (place, meaning) in [
      ("/etc/poolflow/NAME/poolflow.conf", "Its settings, with poolflow.conf.d beside them; see poolflow.conf(5)."),
      ("/var/lib/poolflow-NAME", "Its store, photos, backups and drop folder."),
      ("/run/poolflow-NAME/control.sock", "Its socket: pfctl --instance NAME, for the same group poolflow."),
      (
        "/etc/systemd/system/poolflowd@NAME.service.d/*.conf",
        "What its sandbox allows in addition, such as ReadWritePaths= for folders elsewhere and LoadCredential= for its "
          + "own secrets; poolflowd@.service.d applies to all instances."
      ),
    ] {
      page.item(place, meaning)
    }
    page.paragraph(
      "poolflow.target groups all of them, including the daemon without a name: systemctl stop, start, restart and "
        + "reload poolflow.target act on each that is enabled.")
    page.section("Control socket")
    page.paragraph(
      "Any Varlink client can speak to control.sock; the interfaces describe themselves (org.varlink.service). Root, the "
        + "daemon's own user and members of the group poolflow may use it.")
    page.section("Files")
    page.item("/var/lib/poolflow/poolflow.db", "The store, one SQLite file.")
    page.item(
      "/var/lib/poolflow/reserve",
      "A reserve of one MiB: it is deleted when the disk is full, and created again once space is free.")
    page.item("/var/lib/poolflow/backups", "Backups, a folder each, private.")
    page.item(
      "/var/lib/poolflow/outbox/new",
      "Notices for the program that sends them: it takes each by renaming or deleting the file.")
    page.item("/run/poolflow/control.sock", "The control socket.")
    page.section("See also")
    page.paragraph("pfctl(1), poolflow.conf(5), poolflow-post(1), systemd.time(7)")
    return page
  }
}
