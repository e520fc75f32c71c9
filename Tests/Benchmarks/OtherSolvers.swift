import Foundation

/// Solvers from PyPI as baselines: fast-tsp (2-opt, Or-opt and perturbation), OR-Tools (guided local search), VROOM.
enum OtherSolvers {
  /// The order that the solver finds for each day within `seconds` per day; nil if it is not installed.
  ///
  /// - Parameter input: JSON with the stops of each day as [latitude, longitude].
  static func run(_ python: String, _ solver: String, input: Data, seconds: Double) -> [[Int]]? {
    let answer = poolflow_bench.python(["-c", script, solver, String(seconds)], program: python, input: input)
    return answer.flatMap { try? JSONDecoder().decode([[Int]].self, from: $0) }
  }

  /// An open path with a fixed start, expressed for each solver: a node "home" beside the start, equally far from all others
  /// (fast-tsp), a free end (OR-Tools), a vehicle without an end (VROOM). All take integers.
  private static let script = """
    import json, math, sys
    solver, seconds = sys.argv[1], float(sys.argv[2])
    def miles(a, b):
        r = math.pi / 180
        h = math.sin((b[0]-a[0])*r/2)**2 + math.cos(a[0]*r)*math.cos(b[0]*r)*math.sin((b[1]-a[1])*r/2)**2
        return 2 * 3958.8 * math.asin(min(1, math.sqrt(h)))
    def fast_tsp(m):
        import fast_tsp, numpy
        n, top = len(m), max(map(max, m)) or 1
        t = [[round(v / top * 20000) for v in row] + [60000] for row in m] + [[60000] * n + [0]]
        t[0][n] = t[n][0] = 0
        # An array is read as it is; lists would be converted on the solver's time.
        order = fast_tsp.find_tour(numpy.array(t), duration_seconds=seconds, max_threads=1)
        i = order.index(n)
        order = order[i + 1:] + order[:i]
        return order if order[0] == 0 else order[::-1]
    def ortools(m):
        from ortools.constraint_solver import pywrapcp, routing_enums_pb2
        n = len(m)
        manager = pywrapcp.RoutingIndexManager(n + 1, 1, [0], [n])
        model = pywrapcp.RoutingModel(manager)
        def leg(a, b):
            a, b = manager.IndexToNode(a), manager.IndexToNode(b)
            return 0 if a == n or b == n else round(m[a][b] * 1e5)
        model.SetArcCostEvaluatorOfAllVehicles(model.RegisterTransitCallback(leg))
        p = pywrapcp.DefaultRoutingSearchParameters()
        p.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PATH_CHEAPEST_ARC
        p.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
        p.time_limit.FromMilliseconds(max(1, int(seconds * 1000)))
        s = model.SolveWithParameters(p)
        order, i = [], model.Start(0)
        while s and not model.IsEnd(i):
            order.append(manager.IndexToNode(i))
            i = s.Value(model.NextVar(i))
        return order
    def vroom(m):
        import vroom, numpy, datetime
        v = vroom.Input()
        v.set_durations_matrix("car", numpy.array([[round(x * 1e5) for x in row] for row in m], dtype=numpy.uint32))
        v.add_vehicle(vroom.Vehicle(0, start=0))
        v.add_job([vroom.Job(i, location=i) for i in range(1, len(m))])
        s = v.solve(exploration_level=5, nb_threads=1, timeout=datetime.timedelta(seconds=seconds))
        return [0] + [int(x) for x in s.routes[s.routes["type"] == "job"]["id"]]
    run = {"fast-tsp": fast_tsp, "ortools": ortools, "vroom": vroom}[solver]
    print(json.dumps([run([[miles(a, b) for b in day] for a in day]) for day in json.load(sys.stdin)]))
    """
}
