import PoolInterchange
import Testing

@testable import FlowCommands

/// Lists of a trade that the engine's help repeats.
struct HelpOfTradesTests {
  @Test func `help of import names all columns that an export does not write`() {
    let columns = CSVColumn.allCases.filter { !CSVColumn.exported.contains($0) }
    #expect(ImportCommand.columnsWithoutExport == columns.map(\.rawValue))
  }
}
