import Foundation

/// Instances of TSPLIB with their published optima: closed tours in the plane with distances rounded to integers.
///
/// Source: G. Reinelt, "TSPLIB: A Traveling Salesman Problem Library", ORSA Journal on Computing 3, 1991.
struct ClosedTour {
  let name: String
  let optimum: Double
  let cities: [(x: Double, y: Double)]

  private init(_ name: String, optimum: Double, _ text: String) {
    self.name = name
    self.optimum = optimum
    cities = text.split(separator: ",").map { city in
      let numbers = city.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
      return (numbers[0], numbers[1])
    }
  }

  /// TSPLIB's EUC_2D: rounded to the nearest integer.
  func distance(_ from: Int, _ to: Int) -> Double {
    let x = cities[from].x - cities[to].x
    let y = cities[from].y - cities[to].y
    return (x * x + y * y).squareRoot().rounded()
  }

  static let all = [
    ClosedTour(
      "berlin52", optimum: 7_542,
      """
      565 575, 25 185, 345 750, 945 685, 845 655, 880 660, 25 230, 525 1000, 580 1175, 650 1130, 1605 620,
      1220 580, 1465 200, 1530 5, 845 680, 725 370, 145 665, 415 635, 510 875, 560 365, 300 465, 520 585,
      480 415, 835 625, 975 580, 1215 245, 1320 315, 1250 400, 660 180, 410 250, 420 555, 575 665, 1150 1160,
      700 580, 685 595, 685 610, 770 610, 795 645, 720 635, 760 650, 475 960, 95 260, 875 920, 700 500,
      555 815, 830 485, 1170 65, 830 610, 605 625, 595 360, 1340 725, 1740 245
      """),
    ClosedTour(
      "kroA100", optimum: 21_282,
      """
      1380 939, 2848 96, 3510 1671, 457 334, 3888 666, 984 965, 2721 1482, 1286 525, 2716 1432, 738 1325,
      1251 1832, 2728 1698, 3815 169, 3683 1533, 1247 1945, 123 862, 1234 1946, 252 1240, 611 673, 2576 1676,
      928 1700, 53 857, 1807 1711, 274 1420, 2574 946, 178 24, 2678 1825, 1795 962, 3384 1498, 3520 1079,
      1256 61, 1424 1728, 3913 192, 3085 1528, 2573 1969, 463 1670, 3875 598, 298 1513, 3479 821, 2542 236,
      3955 1743, 1323 280, 3447 1830, 2936 337, 1621 1830, 3373 1646, 1393 1368, 3874 1318, 938 955, 3022 474,
      2482 1183, 3854 923, 376 825, 2519 135, 2945 1622, 953 268, 2628 1479, 2097 981, 890 1846, 2139 1806,
      2421 1007, 2290 1810, 1115 1052, 2588 302, 327 265, 241 341, 1917 687, 2991 792, 2573 599, 19 674,
      3911 1673, 872 1559, 2863 558, 929 1766, 839 620, 3893 102, 2178 1619, 3822 899, 378 1048, 1178 100,
      2599 901, 3416 143, 2961 1605, 611 1384, 3113 885, 2597 1830, 2586 1286, 161 906, 1429 134, 742 1025,
      1625 1651, 1187 706, 1787 1009, 22 987, 3640 43, 3756 882, 776 392, 1724 1642, 198 1810, 3950 1558
      """),
  ]
}
