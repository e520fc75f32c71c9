import FlowDelivery
import FlowModel
import FlowNotices

/// 2026-03-02T14:00:00Z, a Monday morning in Phoenix.
let slot = Timestamp(milliseconds: 1_772_460_000_000)

func sampleNotice(
  _ number: Int64 = 1, title: String = "3 stops today", dataJSON: String = #"{"stops":3}"#, expiresAt: Timestamp? = nil,
  lateness: Duration = .seconds(2), id: String? = nil
) -> Notice {
  Notice(
    id: id ?? "20260302T140000Z-morning-summary-\(number)-f3a91c02", teamID: TeamID(number), teamName: "Desert Blue",
    jobID: JobID(number), job: "morning-summary", slot: slot,
    identifier: "poolflow.notification.morningRouteSummary.2", title: title, body: "First stop: Alder Court",
    lines: ["1. Alder Court", "2. \"The Grove\""], dataJSON: dataJSON, lateness: lateness, createdAt: slot,
    expiresAt: expiresAt)
}

func sampleEntry(
  _ sequence: Int64 = 1, sink: String = "drop", state: EntryState = .pending, attempts: Int = 0,
  notice: Notice? = nil, damage: String? = nil
) -> OutboxEntry {
  OutboxEntry(
    sequence: sequence, sink: sink, notice: notice ?? sampleNotice(sequence), state: state, attempts: attempts,
    nextTryAt: slot, lastError: nil, sentAt: nil, damage: damage)
}

func sampleEntries(_ count: Int64, sink: String = "drop") -> [OutboxEntry] {
  (1...count).map { sampleEntry($0, sink: sink) }
}
