import FlowTestKit
import Foundation

/// Chromium, which renders pages in windows of given widths and prints them.
struct Browser {
  private let path: String
  private let scratch: Scratch

  init(in scratch: Scratch) throws {
    path = try Requirement.chromium.path()
    self.scratch = scratch
  }

  /// A page printed to a PDF file.
  struct Print {
    let sheets: Int
    /// Width and height of the first sheet in points, such as `612 792`.
    let paper: String
    fileprivate let file: String
  }

  /// Prints a page with default settings to a PDF.
  func printed(_ page: String) throws -> Print {
    let file = page + ".pdf"
    _ = try run(["--no-pdf-header-footer", "--print-to-pdf=\(file)", "file://\(page)"])
    let text = String(decoding: try Files.bytes(file), as: Unicode.ASCII.self)
    let box = try text.firstMatch(of: /\/MediaBox \[0 0 (\S+) (\S+)\]/).orThrow("'\(page)' printed to no sheet")
    let size = [box.1, box.2].map { String(Int((Double($0) ?? 0).rounded())) }.joined(separator: " ")
    return Print(sheets: text.components(separatedBy: "/Type /Page\n").count - 1, paper: size, file: file)
  }

  /// The text of each sheet, extracted with `pdftotext`.
  func texts(of print: Print) throws -> [String] {
    // `pdftotext` ends each sheet with a form feed.
    try Program.run(Requirement.pdftotext.path(), [print.file, "-"], in: scratch)
      .output.components(separatedBy: "\u{C}").dropLast()
  }

  /// A page rendered at one width; lengths in CSS pixels.
  struct Look: Decodable {
    let page: String
    let width: Double
    /// The width needed to show the page without horizontal scrolling.
    let content: Double
    /// The heights of the links, buttons, labels and summaries that are shown.
    let targets: [Double]
    /// The distance of the first card from the top; nil without cards.
    let firstCard: Double?
    /// The smallest contrast of a text with the background behind it, and that text.
    let contrast: Double
    let faintest: String
    /// The page's background as the browser computes it.
    let ground: String
    /// The rendered text (`innerText`), and the raw text of all elements without separators (`textContent`).
    let text, bare: String
    /// The URLs that the page tried to load.
    let fetched: [String]
  }

  /// Renders pages, given by name, at these widths. A browser window cannot be as narrow as a phone, so each page is shown in
  /// a frame.
  func looks(at pages: [String: String], widths: [Int], isDark: Bool = false) throws -> [Look] {
    let json = String(decoding: try JSONEncoder().encode(pages), as: UTF8.self)
    let harness = """
      <!doctype html><body><script>
      \(Self.contrastScript)
      const pages = \(json), widths = \(widths), looks = [];
      for (const [page, html] of Object.entries(pages)) for (const width of widths) {
        const frame = document.createElement("iframe");
        frame.style = "border:0;height:800px;width:" + width + "px";
        frame.srcdoc = html;
        frame.onload = () => {
          const shown = frame.contentDocument;
          const targets = [...shown.querySelectorAll("a,button,summary,label")]
            .filter(e => e.getClientRects().length > 0).map(e => e.getBoundingClientRect().height);
          const card = shown.querySelector(".ap li");
          const [contrast, faintest] = faintestText(frame.contentWindow, shown.body);
          const fetched = frame.contentWindow.performance.getEntriesByType("resource").map(e => e.name);
          looks.push({
            page, contrast, faintest, ground: frame.contentWindow.getComputedStyle(shown.body).backgroundColor,
            firstCard: card ? card.getBoundingClientRect().top : null,
            width: frame.contentWindow.innerWidth, content: shown.documentElement.scrollWidth, targets,
            text: shown.body.innerText, bare: shown.body.textContent,
            fetched: fetched.filter(name => !name.startsWith("data:")),
          });
        };
        document.body.append(frame);
      }
      onload = () => {
        const result = document.createElement("pre");
        const bytes = new TextEncoder().encode(JSON.stringify(looks));
        result.textContent = btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
        document.body.replaceChildren(result);
      };
      </script>
      """
    let file = try scratch.write("harness.html", harness.utf8)
    let scheme = isDark ? ["--blink-settings=preferredColorScheme=0"] : []
    let shown = try run(scheme + ["--dump-dom", "file://\(file)"]).output
    let result = try shown.firstMatch(of: /<pre>(.*)<\/pre>/).orThrow(
      "the browser showed nothing: \(shown.prefix(500))")
    let looks = try Data(base64Encoded: String(result.1)).orThrow("the browser's answer is cut off")
    return try JSONDecoder().decode([Look].self, from: looks)
  }

  /// Finds the text whose contrast with its background is smallest (WCAG 2.2, 1.4.3), except in drawings.
  private static let contrastScript = """
    function faintestText(view, root) {
      const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
      const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
      const parts = text => (text.match(/[0-9.]+/g) || []).map(Number);
      let found = [21, ""];
      const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
        if (!text || element.closest("svg,style,script") || !element.getClientRects().length) continue;
        let ground = element, colour = [];
        while (ground && (colour = parts(view.getComputedStyle(ground).backgroundColor), colour[3] === 0)) ground = ground.parentElement;
        if (!ground) colour = [255, 255, 255];
        const pair = [light(parts(view.getComputedStyle(element).color)), light(colour)].sort((a, b) => b - a);
        const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
        if (contrast < found[0]) found = [contrast, text.slice(0, 60)];
      }
      return found;
    }
    """

  private func run(_ words: [String]) throws -> Answer {
    let answer = try Program.run(
      path,
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--user-data-dir=\(scratch.path)/browser",
      ] + words, in: scratch, environment: ["HOME": scratch.path])
    guard answer.code == 0 else { throw CannotStart(description: "chromium: \(answer.errors)") }
    return answer
  }
}

extension Optional {
  fileprivate func orThrow(_ words: String) throws -> Wrapped {
    guard let self else { throw CannotStart(description: words) }
    return self
  }
}
