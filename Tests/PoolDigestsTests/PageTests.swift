import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import PoolChemistry
import PoolDigests
import PoolModel
import Testing

/// The rendered pages: small, safe for any names, readable, and consistent in every language.
struct PageTests {
  private typealias Stand = DigestStand

  /// Names that try to break a page.
  private static let nasty: [String] = [
    String(repeating: "Ünsäglich ", count: 20), String(repeating: "x", count: 200), "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>", "'; DROP TABLE pools; --", "شركة المسابح العربية", "\u{202E}gnp.exe",
    "a\u{0}b\u{1B}[31mc\u{7}\r\nd", "🏊‍♀️👨‍👩‍👧‍👦 Pool", "日本のプール会社", "&amp; &lt; ]]>", "[link](javascript:alert(1))",
    "| a | b |\n---",
    "{0} {1}", "BEGIN:VEVENT\r\nX:1", "a,b;c\\n", "e\u{301}\u{302}\u{303}",
  ]

  private func stand(_ stops: [DayStop], language: Language = .english) -> DigestStand {
    var stand = Stand(stops: stops)
    stand.team.language = language
    return stand
  }

  private func nastyStand() -> DigestStand {
    let machines = Self.nasty.map { DatedEquipment(name: $0, nextService: Timestamp(seconds: 0), warrantyEnd: nil) }
    var stand = stand(
      Self.nasty.enumerated().map { Stand.stop($0 + 1, $1, care: Stand.care(Stand.corrosive, equipment: machines)) })
    stand.names = [Self.nasty[3]]
    var item = Samples.item(3_000, name: Self.nasty[2], stock: 1, threshold: 2)
    item.chemicalType = "base"
    stand.stock = [StockItem(item: item, technicianID: nil)]
    stand.last = SentRoute(
      date: CivilDate(year: 2026, month: 2, day: 23),
      stops: [.init(poolID: Samples.pool(99).id, customer: Self.nasty[5], technician: Self.nasty[3])], currentDays: [:])
    return stand
  }

  @Test func `a page of fifteen stops is below 24 kilobytes in every language`() {
    for language in Language.allCases {
      var stand = stand(
        (1...15).map { Stand.stop($0, care: Stand.care($0 % 2 == 0 ? Stand.corrosive : Stand.balanced)) })
      stand.team.language = language
      let html = stand.digest.document().html
      #expect(html.utf8.count < 24_000, "\(language.rawValue): \(html.utf8.count)")
    }
  }

  /// Twenty-four stops with every text at its maximum length: the largest page of a long day.
  private func largest(_ letter: String, machines: Int = 2) -> DigestStand {
    let name = String(repeating: letter, count: TextRule.name.bytes / letter.utf8.count)
    let equipment = (1...machines).map { _ in
      DatedEquipment(
        name: name, nextService: Timestamp(seconds: 0), warrantyEnd: Stand.moment.asOf.advanced(by: .hours(-24)))
    }
    var stand = Stand(
      stops: (1...24).map { number in
        let stop = Stand.stop(number, name, care: Stand.care(Stand.corrosive, daysAgo: 400, equipment: equipment))
        return DayStop(
          poolID: stop.poolID, customerName: name, address: name, latitude: stop.latitude, longitude: stop.longitude,
          technicianID: stop.technicianID, day: .monday, routeOrder: number, care: stop.care)
      })
    stand.names = [name]
    return stand
  }

  @Test func `the largest page of twenty-four stops is bounded for any names`() {
    // Characters that become longer on a page: HTML special characters fivefold, characters escaped in links threefold.
    var most = 0
    for letter in ["x", "&", "\"", "🏊", "ש", "e\u{301}\u{302}\u{303}\u{304}"] {
      for language in letter == "\"" ? Language.allCases : [.english] {
        var stand = largest(letter)
        stand.team.language = language
        let digest = stand.digest
        let document = digest.document()
        most = max(most, document.html.utf8.count)
        #expect(document.html.utf8.count <= 900_000, "\(letter) \(language.rawValue): \(document.html.utf8.count)")
        guard language == .english else { continue }
        #expect(document.markdown.utf8.count < 500_000 && digest.calendar.utf8.count < 500_000, "\(letter)")
        if letter.utf8.count == 1 { #expect(document.text().utf8.count < 500_000, "\(letter)") }
      }
    }
    // Some page comes close to the limit.
    #expect(most > 700_000)
  }

  @Test func `a page loads nothing, runs nothing, and names add no markup`() {
    let html = nastyStand().digest.document().html
    for sign in ["<script", "<img", "<link", "<iframe", "onerror=\"", "javascript:alert(1)\"", "url(", "@import"] {
      #expect(!html.contains(sign), "\(sign)")
    }
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(html.contains("default-src 'none'"))
    // Links lead to maps, only when clicked, or to a part of the page.
    let targets = [
      "https://www.google.com/maps/dir/?api=1&amp;destination=", "https://maps.apple.com/?daddr=", "geo:", "#p", "#s",
    ]
    for part in html.split(separator: "href=\"").dropFirst() {
      #expect(targets.contains { part.hasPrefix($0) }, "\(part.prefix(80))")
    }
    // The details of a sensitive page add no markup either.
    let stand = nastyStand()
    let access = zip(stand.stops, Self.nasty).map { stop, text in
      PoolAccess(
        poolID: stop.poolID, customer: text, notes: text, contact: text, phone: text, email: text, gate: text)
    }
    let open = stand.digest.document(access: access).html
    #expect(!open.contains("<script") && !open.contains("<img") && !open.contains("href=\"tel:"))
    #expect(!html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x202A...0x202E).contains($0.value) })
  }

  @Test func `text is never wider than its limit and has no control character`() {
    for width in [40, 78] {
      for language in Language.allCases {
        var stand = nastyStand()
        stand.team.language = language
        let text = stand.digest.document().text(width: width)
        for line in text.split(separator: "\n") {
          #expect(columns(of: String(line)) <= width, "\(language.rawValue) \(width): \(line)")
        }
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F })
      }
    }
  }

  @Test func `names add no markup to Markdown`() {
    let markdown = nastyStand().digest.document().markdown
    #expect(markdown.contains("\\<script\\>alert\\(1\\)\\</script\\>"))
    #expect(markdown.contains("\\[link\\]\\(javascript:alert\\(1\\)\\)"))
    #expect(markdown.contains("\\| a \\| b \\|"))
    #expect(markdown.split(separator: "\n").allSatisfy { !$0.hasPrefix("BEGIN") })
  }

  @Test func `a calendar has one event per stop, folded and escaped`() {
    let calendar = nastyStand().digest.calendar
    let lines = calendar.utf8.split(separator: 10, omittingEmptySubsequences: false)
    for line in lines.dropLast() { #expect(line.last == 13 && line.count <= 76) }
    let text = calendar.replacing("\r\n ", with: "")
    #expect(text.components(separatedBy: "BEGIN:VEVENT\r\n").count == Self.nasty.count + 1)
    #expect(text.contains("a\\,b\\;c\\\\n"))
    #expect(text.contains("DTSTART:20260302T080000Z\r\nDTEND:20260302T082000Z"))
  }

  @Test func `a right-to-left name is isolated in every page format`() {
    let document = nastyStand().digest.document()
    for page in [document.html, document.text(), document.markdown] {
      #expect(page.contains("\u{2068}شركة المسابح العربية\u{2069}"))
      #expect(page.unicodeScalars.count { $0 == "\u{2068}" } == page.unicodeScalars.count { $0 == "\u{2069}" })
      #expect(!page.contains("\u{202E}"))
    }
  }

  @Test func `a team without pools and a day of two hundred stops have a page`() {
    let empty = stand([]).digest
    #expect(empty.sections.isEmpty && empty.document().html.hasSuffix("</html>\n"))
    #expect(!empty.calendar.contains("VEVENT") && !empty.document().text().isEmpty)
    let full = stand((1...200).map { Stand.stop($0) }).digest
    #expect(full.document().html.contains("<li id=s200><label>"))
    // If every stop needs attention, the first ones are named and the others counted.
    let fresh = stand((1...200).map { Stand.stop($0, care: Stand.care(daysAgo: nil)) }).digest.document().text()
    #expect(
      fresh.split { $0 == " " || $0.isNewline }.joined(separator: " ").contains(
        "! Test first, no dose yet: 1, 2, 3, 4, 5, 6, +194 "))
    #expect(full.document().html.utf8.count < 200_000)
  }

  /// Of the page's own style: WCAG 2.2, 1.4.3 and "relative luminance".
  @Test func `every text colour has a contrast of at least 4.5 in all colour schemes`() throws {
    let html = stand([Stand.stop(1)]).digest.document().html
    let schemes = html.matches(of: /:root\{([^}]*)\}/).map { String($0.1) }
    #expect(schemes.count == 3)
    for scheme in schemes {
      var colors: [String: Double] = [:]
      for match in scheme.matches(of: /--([a-z]+):#([0-9a-f]+)/) {
        let short = String(match.2)
        let hex = short.count == 3 ? short.map { "\($0)\($0)" }.joined() : short
        let value = try #require(Int(hex, radix: 16))
        let parts = [value >> 16 & 255, value >> 8 & 255, value & 255].map { part -> Double in
          let share = Double(part) / 255
          return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        colors[String(match.1)] = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
      }
      // Text, secondary text, links and warnings on the page, on a card's head and on a tinted cell; numbers in pins and texts on
      // buttons have the page's background colour.
      for (name, grounds) in [
        ("f", ["b", "h", "t"]), ("m", ["b", "h", "t"]), ("a", ["b"]), ("w", ["b", "t"]),
      ] {
        for ground in grounds {
          let (color, background) = (try #require(colors[name]), try #require(colors[ground]))
          let contrast = (max(color, background) + 0.05) / (min(color, background) + 0.05)
          #expect(contrast >= 4.5, "--\(name) on --\(ground): \(contrast)")
        }
      }
    }
  }

  @Test func `gate codes and contacts appear only on a sensitive sink's page`() {
    let stand = stand([Stand.stop(1), Stand.stop(2)])
    let access = PoolAccess(
      poolID: stand.stops[0].poolID, customer: "x", notes: "dog <b>", contact: "Ann", phone: "480-555-0140",
      email: "ann@example.com", gate: "Keypad 4417")
    let secrets = ["dog &lt;b&gt;", "480-555-0140", "ann@example.com", "Keypad 4417"]
    let plain = stand.digest.document()
    let open = stand.digest.document(access: [access])
    for secret in secrets {
      #expect(!plain.html.contains(secret) && open.html.contains(secret), "\(secret)")
    }
    // Each value has its label, and a telephone number is a `tel:` link.
    #expect(open.html.contains("<b class=g><i>Gate</i> Keypad 4417</b>"))
    #expect(open.html.contains("<a href=\"tel:4805550140\">Call <i>480-555-0140</i></a>"))
    #expect(open.text().contains("     * Call: 480-555-0140\n     * Gate: Keypad 4417\n     * Contact: Ann\n"))
    // Every value stands on the page once.
    for secret in secrets { #expect(open.html.components(separatedBy: secret).count == 2, "\(secret)") }
    #expect(
      !plain.text().contains("4417") && !plain.markdown.contains("4417") && !stand.digest.calendar.contains("4417"))
    #expect(!DigestJSON.text(stand.digest).contains("4417"))
    #expect(
      PoolAccess.text([access])
        == #"{"\#(access.poolID)":{"contact_email":"ann@example.com","contact_name":"Ann","contact_phone":"480-555-0140","#
        + #""customer":"x","gate_access":"Keypad 4417","notes":"dog <b>"}}"#)
    var dumped = "\(access) \(String(reflecting: access))"
    dump(access, to: &dumped)
    #expect(!dumped.contains("4417") && !dumped.contains("480"))
  }

  @Test(arguments: [
    ("480-555-0140", "tel:4805550140"), ("+1 (480) 555-0140", "tel:+14805550140"), ("0711/123456", "tel:0711123456"),
    ("480.555.0140 ext. 7", "tel:4805550140"), ("Ann: 480 555 0140 (mobile)", "tel:4805550140"),
    ("480-555-0140, 480-555-0141", "tel:4805550140"), ("1-800-FLOWERS", nil), ("480-555-0140x7", nil), ("none", nil),
    ("12345", nil), ("480-555-0140 480-555-0141", nil), ("+1+2 5550140", nil), ("", nil), ("٤٨٠٥٥٥٠١٤٠", nil),
  ])
  func `a telephone number is linked completely or not at all`(text: String, link: String?) {
    #expect(telephoneLink(text) == link)
  }

  @Test func `a full page of twelve stops has at most 24 kilobytes`() {
    for language in Language.allCases {
      let asOf = Stand.moment.asOf
      var stand = stand(
        (1...12).map { number in
          Stand.stop(
            number, "Customer Number \(number)",
            care: Stand.care(
              Stand.corrosive,
              equipment: [
                DatedEquipment(name: "Cartridge filter", nextService: asOf.advanced(by: .hours(-48)), warrantyEnd: nil)
              ]), window: "8-10")
        }, language: language)
      stand.team.units = language == .english ? .imperial : .metric
      let access = stand.stops.map {
        PoolAccess(
          poolID: $0.poolID, customer: $0.customerName, notes: "Spa shares the equipment; beware of the dog.",
          contact: "Megan Mercer", phone: "480-555-0117", email: "megan.mercer@example.com", gate: "HOA fob, side gate")
      }
      let page = stand.digest.document(access: access)
      let html = page.html
      let folder = SiteFolderPart(of: .today, madeAt: "Mon, Mar 2, 7:00 AM", in: language)
      let published = page.published(last: language.commonPhrases.pageFollows(), in: folder).html
      #expect(max(html.utf8.count, published.utf8.count) <= 24_000, "\(language.rawValue): \(published.utf8.count)")
      #expect(html.contains("@page{size:\(language == .english ? "letter" : "A4");"))
      #expect(html.contains("<div class=\"ap\" style='--wr:\"pH\u{A0}________ "))
    }
  }

  @Test func `a technician's page contains only that technician's stops, load and water`() throws {
    var stand = stand([
      Stand.stop(1, "Steve Baird", care: Stand.care(Stand.corrosive)), Stand.stop(2, "Ann Castillo"),
      Stand.stop(3, "Frank Lam", technician: 2),
      Stand.stop(4, "Grace Cho", technician: 2, care: Stand.care(Stand.corrosive)),
      Stand.stop(5, "Dana Lowe", technician: 3),
    ])
    stand.names = ["maria", "dan", "keisha"]
    stand.stock = [StockItem(item: Samples.item(3_000, name: "Soda", stock: 1, threshold: 2), technicianID: nil)]
    let asOf = Stand.moment.asOf
    stand.changes = [1, 3, 9].map {
      WaterChange(
        poolID: Samples.pool($0).id, customerName: "Pool \($0)", at: asOf.advanced(by: .hours(-5)), before: .balanced,
        after: .corrosive, lsi: -0.61)
    }
    stand.last = SentRoute(
      date: CivilDate(year: 2026, month: 2, day: 23),
      stops: [(1, "maria"), (2, "dan"), (3, "dan"), (8, "dan")].map {
        .init(poolID: Samples.pool($0).id, customer: "Customer \($0)", technician: $1)
      }, currentDays: [:])
    let team = stand.digest
    let access = stand.stops.map {
      PoolAccess(
        poolID: $0.poolID, customer: $0.customerName, notes: "", contact: "", phone: "", email: "",
        gate: "Gate of \($0.customerName)")
    }
    for name in stand.names {
      let own = try #require(team.only(name.uppercased()))
      let mine = try #require(team.sections.first { $0.technician == name }).stops.map(\.customer)
      #expect(own.technician == name && own.sections.map(\.technician) == [name])
      #expect(own.sections[0].stops.map(\.order) == Array(1...mine.count))
      #expect(own.sections[0].load == team.sections.first { $0.technician == name }?.load)
      let pages = [
        own.document(access: access).html, own.document(access: access).text(), own.calendar, DigestJSON.text(own),
        own.lines.joined(separator: "\n"),
      ]
      for page in pages {
        // Other technicians' customers appear only if they left this technician's route.
        let named = mine + (own.changes?.changes.map(\.customer) ?? [])
        for customer in stand.stops.map(\.customerName) where !named.contains(customer) {
          #expect(!page.contains(customer), "\(name): \(customer)")
        }
        #expect(
          !page.contains("Soda:") && !page.contains("Pool 9"),
          "low stock and pools without a stop appear on the office's page only")
      }
      for gate in access.map(\.gate) {
        #expect(pages[0].contains(gate) == mine.contains { gate.hasSuffix($0) }, "\(name): \(gate)")
      }
      // A digest stored with a notice can be narrowed too.
      #expect(DigestJSON.morning(DigestJSON.text(team))?.only(name) == own)
    }
    let maria = try #require(team.only("maria"))
    #expect(maria.waterChanges?.map(\.customer) == ["Pool 1"] && team.only("keisha")?.waterChanges == nil)
    #expect(maria.changes?.changes.map(\.customer) == ["Ann Castillo"])
    #expect(team.only("dan")?.changes?.changes.map(\.customer) == ["Ann Castillo", "Grace Cho", "Customer 8"])
    #expect(team.only("mario") == nil)
    // The team's page links to each technician's section and to the office's.
    let html = team.document().html
    for (index, title) in (stand.names + ["For the office"]).enumerated() {
      #expect(
        html.contains("<a href=\"#p\(index + 1)\">\(title)</a>") && html.contains("<section id=\"p\(index + 1)\">"))
    }
    #expect(html.contains("Soda: 1 fl oz left") && !maria.document().html.contains("<nav>"))
  }

  @Test(arguments: Language.allCases)
  func `a complete page equals the snapshot in every language`(language: Language) throws {
    let asOf = Stand.moment.asOf
    var stand = stand(
      [
        Stand.stop(1, "Steve Baird", care: Stand.care(Stand.corrosive)),
        Stand.stop(2, "Ann Castillo", care: Stand.care(daysAgo: 40)),
        Stand.stop(3, "Frank Lam", latitude: 0, longitude: 0, care: Stand.care(daysAgo: nil)),
        Stand.stop(
          4, "Grace Cho",
          care: Stand.care(
            daysAgo: 1,
            equipment: [
              DatedEquipment(
                name: "Heater", nextService: asOf.advanced(by: .hours(-48)), warrantyEnd: asOf.advanced(by: .hours(-72))
              )
            ])),
      ], language: language)
    stand.team.units = language == .english ? .imperial : .metric
    stand.changes = [
      WaterChange(
        poolID: Samples.pool(1).id, customerName: "Steve Baird", at: asOf.advanced(by: .hours(-5)), before: .balanced,
        after: .corrosive, lsi: -0.61)
    ]
    stand.tomorrow = [Stand.stop(9, care: Stand.care(Stand.corrosive))]
    var soda = Samples.item(3_000, name: "Soda", stock: 6, threshold: 8)
    soda.chemicalType = "base"
    stand.stock = [StockItem(item: soda, technicianID: nil)]
    stand.last = SentRoute(
      date: CivilDate(year: 2026, month: 2, day: 23),
      stops: [(2, "maria"), (1, "maria"), (4, "dan"), (7, "maria"), (8, "maria")].map {
        .init(poolID: Samples.pool($0).id, customer: "Customer \($0)", technician: $1)
      }, currentDays: [Samples.pool(7).id: .friday])
    var facts = stand.facts
    facts.usedOz = [soda.id: 90]
    let late = DigestMoment.Lateness(due: "07:00 UTC", sent: "09:12 UTC")
    let digest = MorningDigest(facts, at: DigestMoment(zone: .utc, asOf: asOf, run: "run-1", late: late))
    try Snapshot.compare("page-\(language.rawValue).txt", digest.document().text())
    if language == .english { try Snapshot.compare("page-en.md", digest.document().markdown) }
  }
}
