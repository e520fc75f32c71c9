extension InterfaceTests {
  /// The methods of stables that change something.
  static let stableChanging = [
    "org.poolflow.Care.Log", "org.poolflow.Care.Remove", "org.poolflow.Care.Set", "org.poolflow.Feed.ApplyTemplate",
    "org.poolflow.Feed.Mark", "org.poolflow.Feed.RemoveTemplate", "org.poolflow.Feed.SaveTemplate",
    "org.poolflow.Feed.Set", "org.poolflow.Feed.Undo", "org.poolflow.Horses.Add", "org.poolflow.Horses.Remove",
    "org.poolflow.Horses.Set", "org.poolflow.Weather.Import",
  ]
}
