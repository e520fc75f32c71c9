import FlowModel

/// Texts in the markup of each chat service, built from plain parts that are escaped here.
enum ChatText {
  // MARK: Telegram: HTML with four entities, 4,096 UTF-16 units after parsing

  /// Telegram's HTML. A message is limited to 4,096 UTF-16 units after parsing.
  static func telegram(_ content: MessageContent) -> String {
    let units = { (text: String) in text.utf16.count }
    let title = truncated(content.title, to: 256, units)
    let body = truncated(content.body, to: 1_024, units)
    let link = truncated(content.link ?? "", to: 500, units)
    let rest = content.lines(within: 4_000 - units(title) - units(body) - units(link)) { units($0) + 1 }
    return (["<b>\(htmlEscaped(title))</b>"] + ([body] + rest + [link]).filter { !$0.isEmpty }.map(htmlEscaped)).joined(
      separator: "\n")
  }

  private static func htmlEscaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  // MARK: Slack: three entities, and a joiner before what would begin a style

  /// Escapes text for Slack.
  static func slack(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // Slack has no escape for these characters: an invisible joiner before them prevents formatting.
      case "*", "_", "~", "`":
        result += "\u{34F}"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  // MARK: Teams: a part of Markdown

  /// Escapes text for the Markdown of Teams.
  static func teams(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if "\\*_[]()#".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  // MARK: Matrix: a part of HTML

  /// The plain text and the HTML of a Matrix message.
  static func matrix(_ content: MessageContent) -> (plain: String, html: String) {
    // A Matrix event is limited to 65,536 bytes, which both versions share.
    let size = { (text: String) in htmlEscaped(text).utf8.count + 5 }
    let title = truncated(content.title, to: 1_000, size)
    let body = truncated(content.body, to: 4_000, size)
    let rest = ([body] + content.lines(within: 20_000, size: size)).filter { !$0.isEmpty }
    let anchor = content.link.map { ["<a href=\"\(htmlEscaped($0))\">\(htmlEscaped($0))</a>"] } ?? []
    return (
      ([title] + rest + [content.link].compactMap(\.self)).joined(separator: "\n"),
      (["<b>\(htmlEscaped(title))</b>"] + rest.map(htmlEscaped) + anchor).joined(separator: "<br>")
    )
  }
}

/// The JSON bodies of messages to the chat services and ntfy.
enum ChatBody {
  static func telegram(_ content: MessageContent, chat: String, isPlain: Bool) -> [UInt8] {
    var json = JSONText()
    json.object { body in
      if let number = Int(chat) { body.member("chat_id", number) } else { body.member("chat_id", chat) }
      body.member("text", isPlain ? content.text(within: 1_000) { $0.utf16.count } : ChatText.telegram(content))
      if !isPlain { body.member("parse_mode", "HTML") }
      body.member("link_preview_options") { $0.member("is_disabled", true) }
    }
    return json.bytes
  }

  /// A Slack block is limited to 3,000 characters, a message to 50 blocks and about 13,200 characters.
  static func slack(_ content: MessageContent, isPlain: Bool) -> [UInt8] {
    let size = { (text: String) in ChatText.slack(text).utf16.count + 1 }
    let title = truncated(content.title, to: 200, size)
    let summary = ChatText.slack(content.body.isEmpty ? title : "\(title): \(truncated(content.body, to: 1_000, size))")
    var json = JSONText()
    json.object { body in
      if !isPlain {
        var texts = ["*\(ChatText.slack(title))*\n\(ChatText.slack(truncated(content.body, to: 1_000, size)))"]
        for line in content.lines(within: 10_000, size: size).map(ChatText.slack) {
          if texts.count > 1, let last = texts.last, last.utf16.count + line.utf16.count < 2_900 {
            texts[texts.count - 1] = "\(last)\n\(line)"
          } else {
            texts.append(line)
          }
        }
        if let link = content.link { texts.append("<\(link)>") }
        body.member("blocks", texts.map(SlackSection.init))
      }
      body.member("text", summary)
      body.member("unfurl_links", false)
    }
    return json.bytes
  }

  /// A text block of a Slack message.
  private struct SlackSection: JSONWritable {
    let text: String

    init(_ text: String) { self.text = truncated(text, to: 3_000) { $0.utf16.count } }

    func members(_ json: inout JSONText) {
      json.member("text") { text in
        text.member("text", self.text)
        text.member("type", "mrkdwn")
      }
      json.member("type", "section")
    }
  }

  /// A Teams workflow accepts 28 kB and fails without an error above that; this body stays below 20 kB.
  static func teams(_ content: MessageContent, isPlain: Bool) -> [UInt8] {
    let size = { (text: String) in ChatText.teams(text).utf8.count + 60 }
    let title = truncated(content.title, to: 500, size)
    let texts = ([truncated(content.body, to: 4_000, size)] + content.lines(within: 14_000, size: size)).filter {
      !$0.isEmpty
    }
    let links = [content.link].compactMap(\.self).map { TeamsText("[\(ChatText.teams($0))](\($0))", isBold: false) }
    let blocks =
      [TeamsText(ChatText.teams(title), isBold: !isPlain)] + texts.map { TeamsText(ChatText.teams($0), isBold: false) }
      + links
    var json = JSONText()
    json.object { body in
      body.member("attachments", [TeamsCard(blocks: blocks)])
      body.member("type", "message")
    }
    return json.bytes
  }

  /// A text element of an adaptive card.
  private struct TeamsText: JSONWritable {
    let text: String
    let isBold: Bool

    init(_ text: String, isBold: Bool) { (self.text, self.isBold) = (text, isBold) }

    func members(_ json: inout JSONText) {
      json.member("text", text)
      json.member("type", "TextBlock")
      if isBold { json.member("weight", "Bolder") }
      json.member("wrap", true)
    }
  }

  /// An adaptive card of Teams with these texts.
  private struct TeamsCard: JSONWritable {
    let blocks: [TeamsText]

    func members(_ json: inout JSONText) {
      json.member("content") { card in
        card.member("body", blocks)
        card.member("type", "AdaptiveCard")
        card.member("version", "1.4")
      }
      json.member("contentType", "application/vnd.microsoft.card.adaptive")
      json.member("contentUrl", json: "null")
    }
  }

  static func matrix(_ content: MessageContent, isPlain: Bool) -> [UInt8] {
    let (plain, html) = ChatText.matrix(content)
    var json = JSONText()
    json.object { body in
      body.member("body", plain)
      if !isPlain {
        body.member("format", "org.matrix.custom.html")
        body.member("formatted_body", html)
      }
      body.member("msgtype", "m.text")
    }
    return json.bytes
  }

  /// ntfy accepts messages of at most 4,096 bytes, and would turn a longer one into a file.
  static func ntfy(_ content: MessageContent, topic: String, key: String) -> [UInt8] {
    let bytes = { (text: String) in text.utf8.count }
    let body = truncated(content.body, to: 1_000, bytes)
    let message = ([body] + content.lines(within: 2_900) { bytes($0) + 1 }).filter { !$0.isEmpty }
    var json = JSONText()
    json.object { text in
      // A tap on the message opens the page.
      text.member("click", content.link)
      text.member("message", message.isEmpty ? content.title : message.joined(separator: "\n"))
      text.member("priority", content.isUrgent ? 5 : 3)
      // A server that supports it replaces an earlier message with the same id.
      text.member("sequence_id", key)
      text.member("title", truncated(content.title, to: 200, bytes))
      text.member("topic", topic)
    }
    return json.bytes
  }
}
