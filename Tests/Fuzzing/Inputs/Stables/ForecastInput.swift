import FlowModel
import PoolInterchange

/// Bytes as a forecast file: our CSV, or a service's JSON; the corpus and the dictionary guide the fuzzer to one of them.
enum ForecastInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let modifiedAt = Timestamp(seconds: 1_800_000_000)
    let promise: Duration = .milliseconds(1) + .microseconds(2 * bytes.count)
    let result: Result<Forecast, ForecastFault> = try limit.call("reading", promise) {
      do throws(ForecastFault) { return .success(try ForecastReader.read(bytes, modifiedAt: modifiedAt)) } catch {
        return .failure(error)
      }
    }
    switch result {
    case .failure(let fault):
      try require(
        !fault.code.isEmpty && fault.description.utf8.count < 1_000, "the refusal says nothing, or has no end")
      try require(!hasControls(fault.description), "the refusal repeats a control character")
    case .success(let forecast): try check(forecast)
    }
  }

  private static func check(_ forecast: Forecast) throws(BrokenLaw) {
    try require(!forecast.hours.isEmpty && forecast.hours.count <= Limits.forecastHours, "no hours, or too many")
    for (hour, next) in zip(forecast.hours, forecast.hours.dropFirst()) {
      try require(next.start.since(hour.start) >= .hours(1), "hours that are not in order, or less than an hour apart")
    }
    for hour in forecast.hours {
      try require((-90...60).contains(hour.air), "an air temperature that no weather has")
      try require(
        (0...500).contains(hour.wind ?? 0) && (0...500).contains(hour.rain ?? 0), "wind or rain of no weather")
      try require((0...100).contains(hour.probability ?? 0), "a probability beyond certainty")
      try require(Limits.storedInstants.contains(hour.start.milliseconds), "an hour that cannot be written")
    }
    try require(Limits.storedInstants.contains(forecast.issuedAt.milliseconds), "an instant that cannot be written")
  }
}
