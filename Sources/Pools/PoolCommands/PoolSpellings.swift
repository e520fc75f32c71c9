import FlowCommandKit

extension SpellingVariants {
  static var pools: SpellingVariants {
    var variants = SpellingVariants()
    variants.commands = [
      (["route", "optimize"], ["route", "optimise"]), (["stock"], ["inventory"]),
      (["export", "inventory"], ["export", "stock"]),
    ]
    variants.options = ["catalog": "catalogue", "fc": "free-chlorine"]
    variants.values = [("type", "stabiliser", "stabilizer")]
    return variants
  }
}

extension OtherToolWords {
  static var pools: OtherToolWords {
    var words = OtherToolWords()
    let search = "`pfctl pool list --search TEXT` finds pools"
    words.commands = ["search": search, "find": search, "profile": "`pfctl pool set` sets a customer's contact data"]
    return words
  }
}
