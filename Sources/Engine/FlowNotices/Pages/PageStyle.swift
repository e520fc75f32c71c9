/// The CSS of pages. Every pair of text and background colours has a contrast of at least 4.5 in both schemes (WCAG 2.2,
/// 1.4.3); a test computes it from this source. Touch targets are 48 px high.
enum PageStyle {
  static let css = light + dark + screen + print

  /// Additional styles of a page with charts; blue and vermilion from the colour-blind-safe palette by Okabe and Ito, which
  /// also differ in lightness.
  static let charts =
    "figure{margin:.4rem 0;break-inside:avoid}.c{border:0;border-radius:0;max-width:32rem;margin:.3rem 0}"
    + rules(
      fg: "var(--f)", quiet: "var(--m)", ground: "var(--b)", now: "var(--a)", warned: "var(--w)",
      line: "var(--l)")
    + "figure table{font-size:.9em}figure td.r{white-space:normal;overflow-wrap:normal}"
    + "@media(max-width:30rem){figure td,figure th{padding:.2rem .15rem}}"
    + "summary{color:var(--m);font-size:.9em;line-height:3rem;cursor:pointer}"
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
    ":root{color-scheme:light dark;--f:#14181c;--m:#49535d;--b:#fff;--l:#c4ccd4;--a:#005ea8;--w:#8f3600;--t:#fff0e6;--h:#eaf1f8}"
  private static let dark =
    "@media(prefers-color-scheme:dark){:root{--f:#f2f4f6;--m:#b4bec8;--b:#14181c;--l:#46515c;--a:#7cc0ff;--w:#ffb27a;"
    + "--t:#3a2412;--h:#1f2a35}}"

  private static let screen = """
    *{box-sizing:border-box}\
    body{font:1rem/1.4 system-ui,sans-serif;margin:0 auto;max-width:44rem;padding:.8rem;color:var(--f);\
    background:var(--b);overflow-wrap:anywhere}\
    h1{font-size:1.4rem;line-height:1.2;margin:0 0 .3rem}h2{font-size:1.1rem;margin:1rem 0 .2rem}h3{font-size:1rem;margin:.8rem 0 .2rem}\
    p,ul{margin:.2rem 0}ul{padding-left:1.1rem}footer,.m,i{color:var(--m);font-size:.9em}i{font-style:normal}\
    .w{color:var(--w);font-weight:600}\
    a{color:var(--a);display:inline-flex;align-items:center;justify-content:center;min-width:3rem;min-height:3rem}\
    svg{display:block;width:100%;border:1px solid var(--l);border-radius:.5rem;margin:.4rem 0}
    """

  /// Rows and headings are not split across sheets.
  private static let print = """
    @media print{:root{--f:#000;--m:#333;--b:#fff;--l:#bbb;--a:#004a85;--w:#7a2e00;--t:#fff;--h:#fff}\
    body{max-width:none;padding:0;font-size:10pt;line-height:1.25}section,footer{font-size:8pt;line-height:1.2}\
    h1{font-size:12pt}h2{font-size:11pt}h3{font-size:1.1em}\
    h2,h3{margin:.4rem 0 .1rem;break-after:avoid}.m,i{font-size:1em}\
    li,tr{break-inside:avoid}footer{break-before:avoid}\
    a{display:inline;color:inherit;text-decoration:none}svg{height:56mm;width:auto;max-width:100%!important}}
    """

  /// Additional styles of a published page: the links to the folder's pages stay at the bottom of the screen.
  static let folder =
    ".pg{position:sticky;bottom:0;display:flex;margin:.6rem -.8rem -.8rem;background:var(--b);border-top:1px solid var(--l)}"
    + ".pg a{flex:auto;padding:0 .2rem;overflow-wrap:normal;text-decoration:none;font-weight:600}.pg [aria-current]{color:var(--f);border-top:3px solid}"
    + "@media print{.pg{display:none}}"

  /// Additional styles of a page with warnings in a list.
  static let warnedItems = "li.w{list-style:none;margin-left:-1.1rem;font-weight:400}"

  /// Additional styles of a page with an image.
  static let images = "img{max-width:100%;max-height:24rem}@media print{img{break-inside:avoid}}"

  /// Additional styles of a page with several printed sheets.
  static let sheets =
    ".hd{display:none}@media print{section+section{break-before:page}.hd{display:block;font-weight:700}}"

  /// Additional styles of a page with links to its sheets.
  static let index =
    "main nav a{padding:0 .7rem;border:1px solid var(--l);border-radius:.5rem;text-decoration:none;font-weight:600}"
    + "main nav{display:flex;flex-wrap:wrap;gap:.4rem;margin:.4rem 0}@media print{main nav{display:none}}"

  /// Additional styles of a page with tables.
  static let tables = """
    table{border-collapse:collapse;width:100%}th,td{border-top:1px solid var(--l);padding:.25rem .3rem;text-align:left;\
    vertical-align:top}th{font-size:.9em}th,td+td{overflow-wrap:normal}.r{text-align:right}\
    td:first-child{min-width:7rem}td.n{border:0;padding-top:0}td span{display:block;width:0;min-width:100%}\
    @media print{th,td{padding:.1rem .2rem}section table{width:auto}}
    """

  /// Additional styles of a page with cards. A tick folds its card, and a fold is open while its box is ticked; without
  /// `:has`, all of them stay open. The link to a map is the one for the reader's platform. On screen the map follows the cards.
  static let cards = cardScreen + cardWide + cardPrint

  private static let cardScreen = """
    section{display:flex;flex-direction:column}h3:has(+.ap){display:none}section h3{margin-top:.5rem}\
    .hl,.ck,.ap ul,.ap ol{list-style:none;padding:0;margin:.2rem 0}\
    .hl li,.go,.g{display:flex;flex-wrap:wrap;align-items:center}.hl li{gap:.2rem;margin:.1rem 0;color:var(--w);font-weight:600}\
    .hl span{flex:1;min-width:6.5rem;line-height:1.2}.hl a{min-width:2.75rem}.hl small{display:none}\
    .hl a,.go a,.g{border:2px solid;border-radius:.6rem;text-decoration:none;font-weight:700}\
    input{width:1.5rem;height:1.5rem;margin:0;flex:none;accent-color:var(--a)}label{min-height:3rem}\
    .ck label,.fo label{display:flex;align-items:center;gap:.6rem}.ck li,.fo{border-top:1px solid var(--l);padding:.15rem 0}\
    .ck span{flex:1}.ck b{font-size:1.25rem;white-space:nowrap}small{font-size:.85rem;font-weight:400;color:var(--m)}\
    small.w{display:block}.ap ul label{display:block;padding:.7rem 0 .3rem 2.1rem;font-weight:600}\
    .ap ul input{float:left;margin-left:-2.1rem}\
    .ap ol>li{border:2px solid var(--l);border-radius:.7rem;margin:.7rem 0;overflow:hidden;scroll-margin:.5rem}\
    .ap ol>li>label{display:grid;grid-template-columns:2.4rem 1fr 1.5rem;align-items:center;gap:0 .6rem;padding:.5rem .7rem;\
    background:var(--h)}li>label>input{grid-area:1/3/3}\
    .ap label>i{grid-column:2;font-weight:600}.ap label>b{grid-column:2;font-size:1.25rem;line-height:1.15}\
    .ap label>b:nth-child(2){grid-area:1/1/3;display:grid;place-items:center;height:2.4rem;border-radius:50%;background:var(--a);\
    color:var(--b)}li>div{padding:.4rem .7rem .6rem}li:has(>label>input:checked)>div{display:none}\
    li>label:has(:checked){color:var(--m);text-decoration:line-through}\
    .go{gap:.5rem;margin:.4rem 0}.go a,.g{padding:0 .6rem;min-height:3rem}.go a{flex:1 1 auto}\
    li>div a:not([href^=tel]){background:var(--a);color:var(--b);border-color:var(--a)}.go a i,[href^=geo],li>div [href*=apple]{display:none}\
    .g{border-style:dashed;gap:0 .4rem;font-size:1.1rem}\
    .b{font-weight:600}.b.w,.rd .w{background:var(--t)}.b.w{border-left:5px solid;padding:.35rem .5rem}\
    .rd{display:grid;grid-template-columns:.9fr .95fr 1.25fr 1fr 1fr;border:1px solid var(--l);border-radius:.4rem;margin:.4rem 0;\
    overflow:hidden}.rd:has(>:nth-child(6)){grid-template-columns:repeat(4,1fr)}\
    .rd b{font-size:1.1rem;text-align:center;padding:.2rem .1rem;overflow-wrap:normal;border:solid var(--l);border-width:1px 0 0 1px;\
    margin:-1px 0 0 -1px}\
    .rd i{display:block;font:400 clamp(.62rem,3vw,.72rem)/1.2 system-ui,sans-serif}\
    em{width:1px;height:1px;overflow:hidden;clip-path:inset(50%);position:absolute}\
    summary{line-height:3rem}.fo{order:1}\
    .rt,.ld,.sc{fill:none;stroke:var(--a);stroke-width:2;stroke-linejoin:round}\
    .ld{stroke-width:1;stroke-dasharray:2 2}.sc{stroke:var(--m);stroke-width:1.5}\
    .st,.al{fill:var(--a);stroke:var(--b)}.al{fill:var(--w)}\
    text{font-size:10px;font-weight:700;text-anchor:middle;fill:var(--b)}.s{font-size:8px}.sl{fill:var(--m)}
    """

  private static let cardWide = """
    @media screen and (max-width:30rem){.hl a:nth-of-type(n+5),.hl i{display:none}.hl small{display:inline}}\
    @media(pointer:coarse) and (hover:none){li>div [href*=google]{display:none}[href^=geo]{display:inline-flex}}\
    @supports(-webkit-touch-callout:none){li>div [href*=google],[href^=geo]{display:none!important}li>div [href*=apple]{display:inline-flex}}\
    @media screen{.fo:not(:has(>label>input:checked))>:not(label){display:none}}\
    @media screen and (min-width:64rem){body{max-width:76rem}.ap ol{columns:2;column-gap:1rem}.ap ol>li{break-inside:avoid;margin:0 0 .7rem}\
    .hl,.ck{max-width:36rem}}
    """

  /// In print each card has a check box and a line to write on; cards are not split across sheets.
  private static let cardPrint = """
    @media print{html{font-size:8pt}section{display:block}ol+ol{break-inside:avoid}\
    input{width:3mm!important;height:3mm!important}label{min-height:0!important}small,.g i{font-size:1em}\
    .go a,summary,.fo label,details{display:none!important}.go a[href^=tel],.go a i,.hl li{display:inline!important}\
    .hl li{margin-right:4mm}.hl a,.go a,.g{border:0;padding:0;min-height:0;font-size:1em;color:inherit}\
    .hl span::after{content:":\\a0"}.hl a+a::before{content:", "}.go{gap:3mm;margin:0}.go a{flex:none}\
    .ck{max-width:125mm}.ck label{gap:2mm}.ck small{display:inline}.ck b{font-size:1.1em}.ck li{padding:.3mm 0}\
    section svg{float:right;height:30mm;max-width:45%!important;margin:0 0 1mm 3mm}.ap{clear:both}\
    .ap ol{columns:2;column-gap:6mm}.ap ol>li{border:0;border-top:.2mm solid var(--l);border-radius:0;margin:0;padding:.8mm 0}\
    .ap ol>li>label{display:flex;padding:0;gap:1.5mm}.ap label>:not(:last-child){flex:none}\
    .ap label>b:nth-child(2){background:none;color:inherit;height:auto}\
    .ap label>b{font-size:1.1em}li>div{padding:0;display:block!important}.ap div p,.ap div ul{margin:.3mm 0}.ap ul label{padding:0 0 0 5mm}\
    .ap ul input{margin-left:-5mm}.b.w{padding:0 1mm;border-width:.6mm}.rd{display:flex;flex-wrap:wrap}\
    .rd b{flex:auto;padding:0 .5mm;white-space:nowrap;font-size:1em}.rd i{display:inline;font-size:.9em}\
    li>div::after{content:var(--wr);display:block;padding-top:1.2mm;line-height:1.7}}
    """
}
