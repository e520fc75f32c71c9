import FlowCalendar
import FlowModel
import PoolChemistry
import PoolModel

/// Dates of an item of equipment for answers: days in the team's zone, and whether each is past or near.
struct EquipmentDates {
  let warranty: String?
  let service: String?
  let isExpired: Bool
  let isOverdue: Bool
  let isDueSoon: Bool

  init(_ equipment: Equipment, at now: Timestamp, in zone: Zone) {
    func day(_ instant: Timestamp?) -> String? { instant.map { zone.local(at: $0).date.description } }
    warranty = day(equipment.warrantyExpiryDate)
    service = day(equipment.nextServiceDate)
    isExpired = equipment.isWarrantyExpired(at: now)
    isOverdue = equipment.isServiceOverdue(at: now)
    isDueSoon = equipment.isServiceDueSoon(at: now, until: zone.sameTime(Equipment.soonDays, daysAfter: now))
  }
}
