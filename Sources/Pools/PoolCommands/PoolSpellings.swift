import FlowCommandKit

extension SpellingVariants {
  static var pools: SpellingVariants {
    var variants = SpellingVariants()
    variants.commands = [
      (["route", "optimize"], ["route", "optimise"]), (["stock"], ["inventory"]),
      (["export", "inventory"], ["export", "stock"]),
    ]
    variants.options = ["catalog": "catalogue"]
    variants.values = [("type", "stabiliser", "stabilizer")]
    return variants
  }
}

extension DeprecatedSyntax {
  static var pools: DeprecatedSyntax {
    var syntax = DeprecatedSyntax()
    syntax.commands = [Command(old: "profile set", new: "pool set"), Command(old: "visit edit", new: "visit set")]
    syntax.options = [
      Option("to", "place", in: ["route move"]), Option("at", "place", in: ["route pin"]),
      Option("svg", "output", in: ["route show", "pool trend"], adding: [("format", "svg")]),
      Option("matrix", "durations", in: ["route solve"]), Option("email", "mail", in: ["pool set"]),
    ]
    syntax.operands = [
      Operand(
        0, option: "team", value: "TEAM",
        in: [
          "profit", "health", "report month", "route show", "route optimise", "route compare", "route apply",
          "route undo", "route move", "route pin", "route progress", "route export", "route matrix remove",
        ])
    ]
    syntax.joined = [JoinedOptions("latitude", "longitude", "locate", value: "LAT,LON", in: ["pool add", "pool set"])]
    return syntax
  }
}

extension OtherToolWords {
  static var pools: OtherToolWords {
    var words = OtherToolWords()
    let search = "`pfctl pool list --search TEXT` finds pools"
    words.commands = ["search": search, "find": search]
    return words
  }
}
