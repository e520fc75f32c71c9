/// The CSS of pages. Every pair of text and background colours has a contrast of at least 4.5 in both schemes (WCAG 2.2,
/// 1.4.3); a test computes it from this source. Touch targets are 44 px high (2.5.5).
enum PageStyle {
  static let css = light + dark + screen + print

  /// Additional styles of a page with charts; blue and vermilion from the colour-blind-safe palette by Okabe and Ito, which
  /// also differ in lightness.
  static let charts =
    "figure{margin:.4rem 0;break-inside:avoid}.c{border:0;border-radius:0;max-width:32rem;margin:.3rem 0}"
    + rules(
      fg: "var(--fg)", quiet: "var(--mut)", ground: "var(--bg)", now: "var(--ac)", warned: "var(--warn)",
      line: "var(--line)")
    + "figure table{font-size:.9em}figure td.r{white-space:normal;overflow-wrap:normal}"
    + "@media(max-width:30rem){figure td,figure th{padding:.2rem .15rem}}"
    + "summary{color:var(--mut);font-size:.9em;line-height:44px;cursor:pointer}"
    + "@media print{body{font-size:8pt;line-height:1.15}figure{margin:.1rem 0}main{columns:2;column-gap:8mm}h1{column-span:all}"
    + ".c{height:auto;width:88%}summary{display:none}}"

  /// Styles of a stand-alone chart on white; literal colours, because not every SVG viewer supports CSS variables.
  static let chartFile = rules(
    fg: "#14181c", quiet: "#49535d", ground: "#fff", now: "#005ea8", warned: "#8f3600", line: "#c4ccd4")

  private static func rules(
    fg: String, quiet: String, ground: String, now: String, warned: String, line: String
  ) -> String {
    ".c text{font:11px system-ui,sans-serif;text-anchor:start;fill:\(fg)}"
      + ".c .e{text-anchor:end;paint-order:stroke;stroke:\(ground);stroke-width:4px}"
      + ".c .k{text-anchor:middle}.c .k,.c .l{font-size:9px;fill:\(quiet)}"
      + ".cg{fill:\(ground)}.cn{fill:\(now)}.cw{fill:\(warned)}.cb{fill:none;stroke:\(quiet);stroke-width:1.2}"
      + ".cl{fill:none;stroke:\(now);stroke-width:1.6;stroke-linejoin:round}.cz{fill:none;stroke:\(quiet)}"
      + ".ci{fill:\(line);opacity:.5}"
  }

  private static let light =
    ":root{color-scheme:light dark;--fg:#14181c;--mut:#49535d;--bg:#fff;--line:#c4ccd4;--ac:#005ea8;--warn:#8f3600}"
  private static let dark =
    "@media(prefers-color-scheme:dark){:root{--fg:#f2f4f6;--mut:#b4bec8;--bg:#14181c;--line:#46515c;--ac:#7cc0ff;"
    + "--warn:#ffb27a}}"

  /// On screen the map follows the stops; in print it is beside the text before them.
  private static let screen = """
    *{box-sizing:border-box}\
    body{font:1rem/1.4 system-ui,sans-serif;margin:0 auto;max-width:44rem;padding:.8rem;color:var(--fg);\
    background:var(--bg);overflow-wrap:anywhere}\
    h1{font-size:1.25rem;margin:0 0 .5rem}h2{font-size:1.1rem;margin:1.1rem 0 .2rem}h3{font-size:1rem;margin:.9rem 0 .2rem}\
    p,ul{margin:.2rem 0}ul{padding-left:1.1rem}footer,.m,i{color:var(--mut);font-size:.9em}i{font-style:normal;white-space:nowrap}\
    .w{color:var(--warn);font-weight:600}ul .w{list-style:none;margin-left:-1.1rem;font-weight:400}\
    a{color:var(--ac);display:inline-flex;align-items:center;justify-content:center;min-width:2.75rem;min-height:2.75rem}\
    .go a,nav a{padding:0 .7rem;border:1px solid var(--line);border-radius:.5rem;text-decoration:none;font-weight:600}\
    .go,nav{display:flex;flex-wrap:wrap;gap:.4rem;margin:.4rem 0}.hd{display:none}\
    section{display:flex;flex-direction:column}section svg{order:1}\
    svg{display:block;width:100%;border:1px solid var(--line);border-radius:.5rem;margin:.4rem 0}\
    .rt,.ld,.sc{fill:none;stroke:var(--ac);stroke-width:2;stroke-linejoin:round;opacity:.75}\
    .ld{stroke-width:1;stroke-dasharray:2 2}.sc{stroke:var(--mut);stroke-width:1.5;opacity:1}\
    .st{fill:var(--ac);stroke:var(--bg)}.al{fill:var(--warn);stroke:var(--bg)}\
    text{font:700 10px system-ui,sans-serif;text-anchor:middle;fill:var(--bg)}.s{font-size:8px}.sl{fill:var(--mut)}\
    ol{list-style:none;padding:0;margin:0}\
    ol li{display:grid;grid-template-columns:auto 1fr;align-items:center;gap:0 .5rem;padding:.45rem 0;\
    border-top:1px solid var(--line)}\
    ol p,.k{margin:0;grid-column:1/-1}.go{grid-column:1/-1}table{border-collapse:collapse;width:100%}th,td{border-top:1px solid var(--line);\
    padding:.25rem .3rem;text-align:left;vertical-align:top}th{font-size:.9em}th,td+td{overflow-wrap:normal}.r{text-align:right}\
    td:first-child{min-width:7rem}td.n{border:0;padding-top:0}td span{display:block;width:0;min-width:100%}img{max-width:100%;max-height:24rem}
    """

  /// In print each stop has a check box and a line to write on; stops, rows and headings are not split across sheets.
  private static let print = """
    @media print{:root{--fg:#000;--mut:#333;--bg:#fff;--line:#bbb;--ac:#004a85;--warn:#7a2e00}\
    body{max-width:none;padding:0;font-size:10pt;line-height:1.25}section,footer{font-size:8pt;line-height:1.2}\
    h1{font-size:12pt}h2{font-size:11pt}h3{font-size:1.1em}\
    h2,h3{margin:.4rem 0 .1rem;break-after:avoid}.m,i{font-size:1em}th,td{padding:.1rem .2rem}\
    li,tr,img{break-inside:avoid}ol+ol{break-inside:avoid}footer{break-before:avoid}.go,.np,nav{display:none}\
    a{display:inline;color:inherit;text-decoration:none}.k p{display:inline;margin-right:2mm}\
    section{display:block}section+section{break-before:page}.hd{display:block;font-weight:700}\
    svg{height:56mm;width:auto;max-width:100%!important}\
    section svg{float:right;height:30mm;max-width:45%!important;margin:0 0 1mm 3mm}section table{width:auto}\
    h3:has(+.ap),.ap{clear:both}ol{columns:2;column-gap:6mm}ol li{grid-template-columns:auto auto 1fr;padding:.2rem 0}\
    ol li::before{content:"";width:3.4mm;height:3.4mm;border:.3mm solid}\
    ol li::after{content:var(--wr);grid-column:1/-1;padding-top:1.5mm;line-height:1.7}}
    """
}
