import Foundation

/// The baseline: APScheduler 3 with its SQLite job store on fewer jobs of the same kind, because it is slow. It is the usual
/// alternative in Python.
///
/// Needs a `python3` on the PATH that can import `apscheduler` and `sqlalchemy`
/// (`python3 -m venv V && V/bin/pip install 'apscheduler<4' sqlalchemy`, then `PATH=V/bin:$PATH`).
struct APSchedulerBaseline: Decodable {
  let version: String
  let added_per_s: Double
  let run_per_s: Double

  private static let script = """
    import datetime, json, logging, sys, time
    import apscheduler
    from apscheduler.executors.pool import ThreadPoolExecutor
    from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
    from apscheduler.schedulers.background import BackgroundScheduler
    from apscheduler.triggers.cron import CronTrigger

    logging.disable(logging.CRITICAL)
    done = []

    def work(team):
        done.append(team)

    if __name__ == "__main__":
        count, path = int(sys.argv[1]), sys.argv[2]
        scheduler = BackgroundScheduler(
            jobstores={"default": SQLAlchemyJobStore(url="sqlite:///" + path)},
            executors={"default": ThreadPoolExecutor(4)},
            job_defaults={"misfire_grace_time": None, "coalesce": True}, timezone="America/Phoenix")
        scheduler.start(paused=True)
        now = datetime.datetime.now(datetime.timezone.utc)
        begin = time.monotonic()
        for team in range(count):
            scheduler.add_job(work, CronTrigger(hour=7, timezone="America/Phoenix"), args=[team], next_run_time=now)
        added = count / (time.monotonic() - begin)
        begin = time.monotonic()
        scheduler.resume()
        while len(done) < count and time.monotonic() - begin < 60:
            time.sleep(0.001)
        run = len(done) / (time.monotonic() - begin)
        scheduler.shutdown()
        print(json.dumps({"version": apscheduler.version, "added_per_s": added, "run_per_s": run}))
    """

  /// Nil if Python or a package is missing.
  static func measure(jobs: Int, in folder: URL) throws -> APSchedulerBaseline? {
    let file = folder.appendingPathComponent("apscheduler_baseline.py")
    try script.write(to: file, atomically: true, encoding: .utf8)
    let database = folder.appendingPathComponent("apscheduler.db").path
    guard let data = python([file.path, String(jobs), database]) else { return nil }
    return try JSONDecoder().decode(APSchedulerBaseline.self, from: data)
  }
}
