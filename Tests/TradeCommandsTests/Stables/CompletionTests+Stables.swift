import Testing

extension CompletionTests {
  @Test func `horses, slots, kinds of care and templates are completed`() {
    #expect(words("horse", "show", "--team", "coast", "j") == ["Juniper"])
    #expect(words("horse", "add", "--team", "coast", "J") == [])
    #expect(words("team", "add", "Hill", "--trade", "s") == ["stable"])
    #expect(words("feed", "mark", "--team", "coast", "") == ["am", "pm", "Juniper", "Old Bob"])
    #expect(words("feed", "mark", "--team", "coast", "--all", "") == ["am", "pm"])
    #expect(words("feed", "mark", "--team", "coast", "Juniper", "p") == ["pm"])
    #expect(words("feed", "template", "apply", "") == ["Easy keeper"])
    #expect(words("feed", "template", "apply", "Easy keeper", "--team", "coast", "o") == ["Old Bob"])
    #expect(words("feed", "template", "save", "--team=coast", "--horse", "") == ["Juniper", "Old Bob"])
    #expect(words("care", "log", "Juniper", "d") == ["dental", "deworming"])
    #expect(words("care", "list", "--type", "v") == ["vet", "vaccination"])
    #expect(words("care", "set", "3f2a", "type=f") == ["type=farrier"])
    #expect(words("horse", "set", "Juniper", "clipped=") == ["clipped=yes", "clipped=no"])
  }
}
