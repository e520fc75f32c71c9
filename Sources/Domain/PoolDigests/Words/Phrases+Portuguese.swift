import PoolNotices

extension Phrases {
  static let portuguese = Phrases(
    routeTitle: "Rota de hoje",
    scheduledToday: Counted(
      one: "Você tem {0} piscina agendada para hoje.", many: "Você tem {0} de piscinas agendadas para hoje.",
      other: "Você tem {0} piscinas agendadas para hoje."),
    prepTitle: "Prepare-se para amanhã",
    lowBeforeStops: CountedTwice(
      one: Counted(
        one: "{0} produto com estoque baixo antes de {1} parada agendada.",
        many: "{0} produto com estoque baixo antes de {1} de paradas agendadas.",
        other: "{0} produto com estoque baixo antes de {1} paradas agendadas."),
      many: Counted(
        one: "{0} de produtos com estoque baixo antes de {1} parada agendada.",
        many: "{0} de produtos com estoque baixo antes de {1} de paradas agendadas.",
        other: "{0} de produtos com estoque baixo antes de {1} paradas agendadas."),
      other: Counted(
        one: "{0} produtos com estoque baixo antes de {1} parada agendada.",
        many: "{0} produtos com estoque baixo antes de {1} de paradas agendadas.",
        other: "{0} produtos com estoque baixo antes de {1} paradas agendadas.")),
    weeklyTitle: "Resumo semanal do PoolFlow",
    activePools: Counted(
      one: "{0} piscina ativa. Revise as análises e a saúde das rotas antes da nova semana.",
      many: "{0} de piscinas ativas. Revise as análises e a saúde das rotas antes da nova semana.",
      other: "{0} piscinas ativas. Revise as análises e a saúde das rotas antes da nova semana."),
    trialTitle: "Seu teste do PoolFlow Pro termina amanhã",
    trialBody: "Assine agora para manter piscinas ilimitadas, análises e otimização de rotas.",
    stops: Counted(one: "{0} parada", many: "{0} de paradas", other: "{0} paradas"),
    sectionTitle: "{0}: {1}",
    daySummary: Counted(
      one: "{0} parada, a primeira às {1}, fim por volta das {2}, {3}.",
      many: "{0} de paradas, a primeira às {1}, fim por volta das {2}, {3}.",
      other: "{0} paradas, a primeira às {1}, fim por volta das {2}, {3}."),
    daySummaryUnlocated: Counted(
      one: "{0} parada, a primeira às {1}, fim por volta das {2}.",
      many: "{0} de paradas, a primeira às {1}, fim por volta das {2}.",
      other: "{0} paradas, a primeira às {1}, fim por volta das {2}."),
    needAttention: Counted(
      one: "{0} parada precisa de atenção.", many: "{0} de paradas precisam de atenção.",
      other: "{0} paradas precisam de atenção."),
    changesTitle: "Mudanças desde {0}",
    noChanges: "Nada mudou desde {0}.",
    added: "{0} é nova nesta rota.",
    movedToDay: "{0} passou para {1}.",
    movedToTechnician: "{0} passou de {1} para {2}.",
    removed: "{0} não é mais cliente.",
    reordered: "{0} agora é a parada {1}; era a {2}.",
    attentionTitle: "Precisa de atenção",
    waterCrossed: "A água estava {0} e agora está {1} (LSI {2}).",
    daysSinceVisit: Counted(
      one: "Última visita há {0} dia.", many: "Última visita há {0} de dias.", other: "Última visita há {0} dias."),
    visitedToday: "Visitada hoje.",
    neverVisited: "Nunca visitada.",
    serviceOverdue: "{0}: manutenção vencida desde {1}.",
    warrantyEnded: "{0}: a garantia terminou em {1}.",
    noCoordinates: "Sem coordenadas, fora do mapa.",
    stopsTitle: "Paradas",
    lsiWord: "LSI {0}, {1}",
    navigate: "Navegar",
    notesTitle: "Notas",
    mapTitle: Counted(
      one: "Mapa da rota, {0} parada", many: "Mapa da rota, {0} de paradas", other: "Mapa da rota, {0} paradas"),
    mapDescription: """
      Os pinos são numerados na ordem do percurso. Um triângulo marca uma parada que precisa de atenção. \
      O norte fica para cima.
      """,
    notOnMap: Counted(
      one: "{0} parada não tem coordenadas e não está no mapa.",
      many: "{0} de paradas não têm coordenadas e não estão no mapa.",
      other: "{0} paradas não têm coordenadas e não estão no mapa."),
    loadTitle: "Carregar antes de sair",
    loadLine: "{0}: precisa de {1}, {2} no veículo, levar {3}.",
    storeShort: "Faltam {0} no depósito.",
    nothingToLoad: "Nada para carregar: as últimas leituras não pedem produtos.",
    chemicalColumn: "Produto", neededColumn: "Necessário", truckColumn: "No veículo", takeColumn: "Levar",
    lowStockTitle: "Estoque baixo",
    lowLine: "{0}: restam {1}, limite {2}",
    lasts: Counted(
      one: "Dura cerca de {0} dia, pelo uso dos últimos 90 dias.",
      many: "Dura cerca de {0} de dias, pelo uso dos últimos 90 dias.",
      other: "Dura cerca de {0} dias, pelo uso dos últimos 90 dias."),
    tomorrowNeeds: "Amanhã precisa de {0}.",
    tomorrowShort: "Amanhã precisa de {0}: faltam {1}.",
    waterTitle: "Água que mudou desde ontem",
    waterLine: "{0}: de {1} para {2}, LSI {3}",
    corrosive: "corrosiva", balanced: "equilibrada", scaleForming: "incrustante",
    acid: "Ácido muriático", base: "Carbonato de sódio", calcium: "Cloreto de cálcio",
    alkalinity: "Bicarbonato de sódio", chlorine: "Cloro", stabilizer: "Estabilizante",
    dataAsOf: "Dados até {0}.",
    estimate: "Os horários são estimados: linha reta a {0}, {1} minutos por parada, primeira parada às {2}.",
    plannedEstimate: "Os horários são os da rota planejada, {1} minutos por parada, primeira parada às {2}.",
    run: "Execução {0}.",
    preview: "Prévia: nada foi enviado.",
    weekEnding: "Semana até {0}",
    overDays: Counted(
      one: "No último dia ({0}).", many: "Nos últimos {0} de dias.", other: "Nos últimos {0} dias."),
    moneyTitle: "Dinheiro", revenue: "Receita", spend: "Produtos", profit: "Lucro", margin: "Margem",
    losersTitle: "Piscinas que dão prejuízo",
    loserLine: "{0}: mensalidade {1}, produtos {2}, lucro {3}",
    noLosers: "Nenhuma piscina dá prejuízo.",
    more: Counted(one: "e mais {0}", many: "e mais {0}", other: "e mais {0}"),
    healthTitle: "Qualidade dos dados",
    missingCoordinates: Counted(
      one: "{0} piscina não tem coordenadas.", many: "{0} de piscinas não têm coordenadas.",
      other: "{0} piscinas não têm coordenadas."),
    missingFee: Counted(
      one: "{0} piscina não tem mensalidade.", many: "{0} de piscinas não têm mensalidade.",
      other: "{0} piscinas não têm mensalidade."),
    stalePools: Counted(
      one: "{0} piscina está há mais de 35 dias sem visita.",
      many: "{0} de piscinas estão há mais de 35 dias sem visita.",
      other: "{0} piscinas estão há mais de 35 dias sem visita."),
    healthFine: "Todas as piscinas têm coordenadas, mensalidade e uma visita recente.",
    nextLoadTitle: "Carga para a próxima semana",
    noProfitOnPlan: "O plano gratuito não inclui a análise de lucro.",
    visitReport: "Relatório de serviço",
    visits: Counted(one: "{0} visita", many: "{0} de visitas", other: "{0} visitas"),
    readingsTitle: "Leituras da água",
    readingColumn: "Leitura", valueColumn: "Valor", idealColumn: "Ideal", statusColumn: "Situação",
    temperature: "Temperatura", calciumHardness: "Dureza cálcica", totalAlkalinity: "Alcalinidade total",
    cyanuricAcid: "Ácido cianúrico", saturationIndex: "Índice de saturação (LSI)",
    low: "baixo", ideal: "ideal", high: "alto",
    dosesTitle: "Produtos adicionados",
    noDoses: "Nenhum produto foi necessário.",
    photoAlt: "Foto da visita",
    monthReport: "O mês em números",
    customerColumn: "Cliente")
}
