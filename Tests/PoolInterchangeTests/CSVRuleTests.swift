import FlowModel
import Foundation
import PoolInterchange
import PoolModel
import Testing

/// Rules of customers files beyond the golden files, including our own.
struct CSVRuleTests {
  private let now = Timestamp(seconds: 1_800_000_000)

  private func plan(
    _ text: String, existing: [Pool] = [], profiles: [CustomerProfile] = [], freePlanRemaining: Int? = nil
  ) throws -> CSVPlan {
    let table = try CSVImport.read(bytes: Array(text.utf8), locale: .english)
    let ids = CountedIDs()
    return CSVImport.plan(
      table, existing: existing, profiles: profiles, freePlanRemaining: freePlanRemaining, now: now,
      makeID: { _ in ids.make() })
  }

  // MARK: Other programs' files

  @Test(arguments: [
    "Customer,Service Address,Service Day,Monthly Fee,Gallons,Phone Number",
    "Client Name,Street Address,Day,Rate,Volume,Mobile",
    "Customer Name,Property Address,Day of Week,Monthly Rate ($),Pool Size,Cell Phone",
    "Name,Address,Route Day,Fee/Mo,Pool Gallons,Telephone", "Customer,Street,Weekday,Price,Volume (gal),Tel.",
    "Cliente,Dirección,Día de servicio,Cuota mensual,Gallons,Teléfono",
    "Kunde,Adresse,Wochentag,Monatsgebühr,Volume,Telefon",
  ])
  func `another program's header is recognised`(_ header: String) throws {
    let plan = try plan("\(header)\nAnn Lee,1 Elm,Friday,$180,18000,555-0100\n")
    let pool = try #require(plan.pools.first)
    #expect(plan.issues == [] && pool.customerName == "Ann Lee" && pool.address == "1 Elm")
    #expect(pool.serviceDay == .friday && pool.monthlyServiceFee == 180 && pool.volumeGallons == 18_000)
    #expect(plan.profiles.map(\.contactPhone) == ["555-0100"])
  }

  @Test func `an ambiguous heading such as name never overrides an exact one`() throws {
    #expect(throws: CSVError.missingRequiredColumns([.customerName, .address])) { try plan("name,street\nA,1 Elm\n") }
    #expect(throws: CSVError.missingRequiredColumns([.customerName])) { try plan("Customer #,address\n7,1 Elm\n") }
    let cases = [
      ("Name,Customer Name,Address\npool,Ann,1 Elm\n", "Ann", "1 Elm"),
      ("Company,Name,Address\nHOA,Ann,1 Elm\n", "HOA", "1 Elm"),
      ("Customer #,Customer,Street\n7,Ann,1 Elm\n", "Ann", "1 Elm"),
      ("Street,Client,Address\nElm,Ann,1 Elm\n", "Ann", "1 Elm"),
    ]
    for (text, customer, address) in cases {
      let pools = try plan(text).pools
      #expect(pools.map(\.customerName) == [customer] && pools.map(\.address) == [address], "\(text)")
    }
    // Of two plain columns with the same meaning the left one counts.
    let both = try plan("client,customer_name,address,rate,monthly_fee\nAnn,Bob,1 Elm,80,99\n")
    #expect(both.pools.map(\.customerName) == ["Ann"] && both.pools.map(\.monthlyServiceFee) == [80])
  }

  @Test(
    arguments: [
      ("$200", 200), ("$ 200.5", 200.5), ("200 $", 200), ("€ 180", 180), ("180,50 €", 180.5), ("€1.200,50", 1_200.5),
      ("$1,200.50", 1_200.5), ("$1,200", 1_200), ("$12,345", 12_345), ("R$ 350,00", 350),
      ("US$95", 95), ("usd 95", 95), ("95 EUR", 95), ("CHF 1'200.50", 1_200.5), ("1\u{202F}200,50\u{A0}€", 1_200.5),
      ("£0", 0), ("1,200.50", 1_200.5), ("1.200,50", 1_200.5), ("180,50", 180.5), ("1 200,50", 1_200.5), ("145", 145),
      ("$999.999,99", 999_999.99),
    ] as [(String, Double)])
  func `a fee may contain a currency symbol`(_ text: String, _ fee: Double) throws {
    let plan = try plan("customer_name;address;fee\nA;1 Elm;\(text)\n")
    #expect(plan.issues == [] && plan.pools.map(\.monthlyServiceFee) == [fee])
  }

  @Test(arguments: [
    "$1,20,0", "$12,34.50", "$1,2345", "$", "€€5", "$5$", "-$5", "$-5", "$1.2.3", "$1,200,50", "$ ", "$five",
    "$200/month", "$0.1250", "$1,000,000.01", "$٣", "5 pesos", "$1e3", "12.34.56",
  ])
  func `a fee that is no amount is left out with a warning`(_ text: String) throws {
    let plan = try plan("customer_name;address;fee\nA;1 Elm;\(text)\n")
    #expect(plan.issues.map(\.field) == [.monthlyFee] && plan.pools.map(\.monthlyServiceFee) == [150])
    #expect(
      plan.issues.map(\.fault) == [.noFee] && plan.issues.map(\.value) == [text.trimmingCharacters(in: .whitespaces)])
  }

  @Test(arguments: ["1.200", "$1.200", "€ 1.200", "1,200"])
  func `an ambiguous fee is left out with a warning`(_ text: String) throws {
    let plan = try plan("customer_name;address;fee\nA;1 Elm;\(text)\n")
    #expect(plan.issues.map(\.field) == [.monthlyFee] && plan.pools.map(\.monthlyServiceFee) == [150])
    #expect(plan.issues.map(\.fault) == [.ambiguousNumber] && plan.issues.map(\.value) == [text])
  }

  @Test func `a currency symbol is accepted only in fees`() throws {
    let plan = try plan("customer_name,address,volume,lat,lon\nA,1 Elm,$18000,$33,-111\n")
    #expect(Set(plan.issues.map(\.field)) == [.poolVolume, .latitude])
  }

  // MARK: Technicians and profiles

  @Test(arguments: ["technician", "Tech", "TECHNICIAN"])
  func `a technician column becomes a tag of the profile`(_ header: String) throws {
    let plan = try plan("customer_name,address,tags,\(header)\nA,1 Elm,\"vip, salt\",maria\nB,2 Elm,,\n")
    #expect(plan.profiles.map(\.tagsCSV) == ["tech:maria,vip,salt"])
    #expect(plan.profiles[0].poolID == plan.pools[0].id)
    #expect(plan.profiles[0].technicianTag == "maria")
    #expect(plan.pools[0].notes == "Tags: vip, salt")
  }

  @Test func `a reserved technician name is reported, and the tag stays`() throws {
    let plan = try plan(
      "customer_name,address,tags,tech\nA,1 Elm,vip,Office\nB,2 Elm,\"TECH: all,salt\",\nC,3 Elm,,ann\n")
    #expect(plan.issues.map(\.field) == [.technician, .tags] && plan.issues.map(\.row) == [2, 3])
    #expect(plan.issues.allSatisfy { $0.fault == .reservedTechnician && $0.severity == .warning })
    #expect(plan.profiles.map(\.tagsCSV) == ["tech:Office,vip", "TECH: all,salt", "tech:ann"])
  }

  @Test func `a technician's name with a comma stays one tag`() throws {
    let plan = try plan("customer_name,address,tech\nA,1 Elm,\"Lopez, Ana\"\n")
    #expect(plan.profiles.map(\.tagsCSV) == ["tech:Lopez Ana"])
  }

  @Test func `a new technician replaces the old one and other tags stay`() throws {
    let first = try plan("customer_name,address,tags,contact_phone\nA,1 Elm,\"tech:dan,vip\",555-0100\n")
    #expect(first.profiles.map(\.technicianTag) == ["dan"])
    let second = try plan(
      "customer_name,address,technician,contact_name\na,1  ELM,keisha,Ann\n", existing: first.pools,
      profiles: first.profiles)
    #expect(second.updates == 1)
    #expect(second.profiles.map(\.tagsCSV) == ["tech:keisha,vip"])
    #expect(second.profiles.map(\.contactName) == ["Ann"])
    #expect(second.profiles.map(\.contactPhone) == ["555-0100"])
  }

  @Test func `importing the same file twice changes nothing the second time`() throws {
    let text = "customer_name,address,tags,contact_name,notes,tech\nA,1 Elm,\"x,y\",Ann,\"gate\r\ndog\",dan\n"
    let first = try plan(text)
    let second = try plan(text, existing: first.pools, profiles: first.profiles)
    #expect(second.pools == first.pools)
    #expect(second.updates == 1)
    #expect(second.updatedIDs.isEmpty)
    #expect(second.createdIDs.isEmpty)
    #expect(second.profiles.isEmpty)
  }

  @Test func `a file with several technicians for one pool is stable on re-import`() throws {
    let text = "customer_name,address,tags\nA,1 Elm,tech:dan\nA,1 Elm,vip\nA,1 Elm,\"salt,tech:keisha,TECH:Keisha\"\n"
    let first = try plan(text)
    #expect(first.profiles.map(\.tagsCSV) == ["tech:keisha,vip,salt"])
    let second = try plan(text, existing: first.pools, profiles: first.profiles)
    #expect(second.profiles.isEmpty && second.updatedIDs.isEmpty)
  }

  // MARK: Plans and instants

  @Test func `creating beyond the free plan is counted, updating is not`() throws {
    let text = "customer_name,address\nA,1 Elm\nB,2 Elm\nC,3 Elm\n"
    #expect(try plan(text).beyondFreePlan == 0)
    #expect(try plan(text, freePlanRemaining: 3).beyondFreePlan == 0)
    #expect(try plan(text, freePlanRemaining: 1).beyondFreePlan == 2)
    let pools = try plan(text).pools
    #expect(try plan(text, existing: pools, freePlanRemaining: 0).beyondFreePlan == 0)
    // R-TIER-1: an account above the plan's limit cannot even update.
    #expect(try plan(text, existing: pools, freePlanRemaining: -1).beyondFreePlan == 1)
  }

  @Test func `only changed pools get a new time`() throws {
    let pools = try plan("customer_name,address,fee\nA,1 Elm,100\nB,2 Elm,100\n").pools.map { pool in
      var pool = pool
      pool.updatedAt = Timestamp(seconds: 5)
      return pool
    }
    let plan = try plan("customer_name,address,fee\nA,1 Elm,100\nB,2 Elm,110\n", existing: pools)
    #expect(plan.updates == 2)
    #expect(plan.updatedIDs == [pools[1].id])
    #expect(plan.pools.map(\.updatedAt) == [Timestamp(seconds: 5), now])
  }

  @Test func `created pools have United States defaults and the given time`() throws {
    let pool = try plan("customer_name,address\nA,1 Elm\n").pools[0]
    #expect(pool.volumeGallons == 15_000)
    #expect(pool.readings.waterTempF == 78)
    #expect(pool.createdAt == now)
    #expect(pool.updatedAt == now)
    #expect(!pool.hasCoordinates)
  }

  // MARK: Damage

  @Test func `an unclosed quote refuses the file with its row`() {
    #expect(throws: CSVError.unterminatedQuote(row: 3)) {
      try plan("customer_name,address\nA,1 Elm\nB,\"2 Elm\nC,3 Elm\n")
    }
    #expect(throws: CSVError.missingRequiredColumns([.customerName, .address])) {
      try plan("\"customer_name,address\nA,1 Elm\n")
    }
  }

  @Test func `a file of more than 16 MiB or 256 columns is refused`() {
    #expect(throws: CSVError.tooLarge(bytes: Limits.csvBytes + 1, limit: Limits.csvBytes)) {
      try CSVImport.read(bytes: [UInt8](repeating: 0x61, count: Limits.csvBytes + 1), locale: .english)
    }
    #expect(throws: CSVError.tooManyColumns(100_003, limit: 256)) {
      try plan("customer_name,address,x" + String(repeating: ",", count: 100_000) + "\n")
    }
  }

  @Test func `a row with a million cells counts as one row`() throws {
    let plan = try plan("customer_name,address\nA,1 Elm" + String(repeating: ",", count: 1_000_000) + "\n")
    #expect(plan.creates == 1)
  }

  @Test func `overlong text is left out with a warning that does not repeat it`() throws {
    let long = String(repeating: "x", count: 201)
    let plan = try plan("customer_name,address,contact_phone\n\(long),1 Elm,\nB,2 Elm,\(long)\n")
    #expect(plan.skips == 1)
    #expect(plan.creates == 1)
    #expect(plan.issues.map(\.field) == [.customerName, .contactPhone])
    #expect(plan.issues.map(\.severity) == [.error, .warning])
    #expect(
      plan.issues.map(\.fault) == [.tooLong(.name, leavesOutRow: true), .tooLong(.name, leavesOutRow: false)])
    #expect(plan.profiles.isEmpty)
  }

  @Test func `notes do not grow beyond their limit`() throws {
    let pools = try plan("customer_name,address,notes\nA,1 Elm,\(String(repeating: "n", count: 3_990))\n").pools
    let plan = try plan("customer_name,address,notes\nA,1 Elm,and some more\n", existing: pools)
    #expect(plan.issues.map(\.field) == [.notes])
    #expect(plan.pools == pools)
  }

  @Test func `control characters are removed with a warning, line breaks and tabs stay`() throws {
    let plan = try plan("customer_name,address,notes\nA\u{1b}[2J,1 Elm,\"one\ttwo\nthree\"\n")
    #expect(plan.pools[0].customerName == "A[2J")
    #expect(plan.pools[0].notes == "one\ttwo\nthree")
    #expect(plan.issues.map(\.field) == [.customerName])
  }

  @Test func `two-byte control characters are removed too`() throws {
    let plan = try plan("customer_name,address,notes\nA\u{9B}31m,£ §\u{A0}1 Elm,x\u{85}y\u{7F}\n")
    #expect(plan.pools[0].customerName == "A31m" && plan.pools[0].address == "£ §\u{A0}1 Elm")
    #expect(plan.pools[0].notes == "xy")
    #expect(plan.issues.map(\.field) == [.customerName, .notes])
    #expect(CSVExport.line(["\u{9B}31m", "£\u{0}"]) == "31m,£")
  }

  @Test func `a character with sixty thousand combining marks is refused in every field`() throws {
    let marks = "e" + String(repeating: "\u{301}", count: 60_000)
    let plan = try plan(
      "customer_name,address,contact_phone,notes,tags\n\(marks),1 Elm,,,\nB,\(marks),,,\nC,1 Elm,\(marks),,\n"
        + "D,1 Elm,,\(marks),\nE,1 Elm,,,\(marks)\n")
    #expect(plan.skips == 2 && plan.creates == 3)
    #expect(plan.issues.map(\.field) == [.customerName, .address, .contactPhone, .notes, .tags, .notes])
    #expect(plan.issues[0].fault == .tooLong(.name, leavesOutRow: true))
    for pool in plan.pools { #expect(pool.notes.isEmpty && pool.customerName.utf8.count == 1) }
    #expect(plan.profiles.allSatisfy { $0.tagsCSV.isEmpty && $0.contactPhone.isEmpty })
  }

  @Test func `implausibly large amounts are left out`() throws {
    let plan = try plan(
      "customer_name,address,fee,volume\nA,1 Elm,\(String(repeating: "9", count: 40)),\(String(repeating: "9", count: 40))\n"
        + "B,1 Elm,1000000.01,100000001\nC,1 Elm,1000000,100000000\n")
    #expect(plan.issues.map(\.field) == [.monthlyFee, .poolVolume, .monthlyFee, .poolVolume])
    #expect(plan.pools.map(\.monthlyServiceFee) == [150, 150, 1_000_000])
    #expect(plan.pools.map(\.volumeGallons) == [15_000, 15_000, 100_000_000])
  }

  @Test(arguments: ["1e5", "1,500", "0x10", "NaN", "inf", "-", ".", "1.2.3", "9223372036854775808x", "１２"])
  func `a number is digits with at most one decimal point`(_ text: String) throws {
    let plan = try plan("customer_name;address;fee\nA;1 Elm;\(text)\n")
    #expect(plan.issues.map(\.field) == [.monthlyFee])
    #expect(plan.pools[0].monthlyServiceFee == 150)
  }

  @Test(
    arguments: [
      ("33,4", 1_200), ("-33,415", 150), ("1.234.567", 1_200), ("1.234,5", 1_200), ("33.4", 150), ("33.4° N", 150),
      ("1,234.5", 150), ("33,4° N", 150), ("0,415", 1_200), (",415", 1_200), ("+33,4", 1_200),
      ("33,41520000000000", 1_200),
    ] as [(String, Double)])
  func `only a decimal comma in coordinates decides about a fee`(_ latitude: String, _ fee: Double) throws {
    let plan = try plan("customer_name;address;fee;latitude;longitude\nA;1 Elm;1.200;\(latitude);1\n")
    #expect(plan.pools.map(\.monthlyServiceFee) == [fee])
  }

  @Test func `Unicode spaces around values are trimmed`() throws {
    let plan = try plan("customer_name,address\n\u{a0}A\u{a0},\u{2003}1 Elm\n")
    #expect(plan.pools[0].customerName == "A")
    #expect(plan.pools[0].address == "1 Elm")
  }

  @Test func `every refusal is one sentence`() {
    let errors: [CSVError] = [
      .unreadableTextFile, .missingRequiredColumns([.customerName, .address]), .rowLimitExceeded(5_000),
      .tooLarge(bytes: 2, limit: 1), .tooManyColumns(2, limit: 1), .unterminatedQuote(row: 2),
    ]
    for error in errors { #expect(!error.description.contains("\n") && error.description.count > 20) }
    #expect(
      CSVError.missingRequiredColumns([.customerName, .address]).description
        == "the first row names no column 'customer_name' and no column 'address'")
  }
}
