package import FlowControl
package import FlowNotices

extension Document {
  /// The page in the format that a caller asks for.
  package func text(_ format: PageFormatView) -> String {
    switch format {
    case .text: text()
    case .md: markdown
    case .html: html
    }
  }
}
