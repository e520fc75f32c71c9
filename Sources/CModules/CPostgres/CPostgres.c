#include "CPostgres.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef poolflow_pq_connection connection_t;
typedef poolflow_pq_result result_t;

// Starts like libpq's PQconninfoOption; its contents are not used here, only its address.
typedef struct conninfo_option conninfo_option_t;

static struct {
  connection_t *(*PQconnectdbParams)(const char *const *, const char *const *, int);
  void (*PQfinish)(connection_t *);
  int (*PQstatus)(const connection_t *);
  int (*PQtransactionStatus)(const connection_t *);
  char *(*PQerrorMessage)(const connection_t *);
  char *(*PQdb)(const connection_t *);
  char *(*PQhost)(const connection_t *);
  char *(*PQport)(const connection_t *);
  char *(*PQuser)(const connection_t *);
  int (*PQserverVersion)(const connection_t *);
  int (*PQbackendPID)(const connection_t *);
  int (*PQconnectionNeedsPassword)(const connection_t *);
  int (*PQsocket)(const connection_t *);
  int (*PQpingParams)(const char *const *, const char *const *, int);
  conninfo_option_t *(*PQconninfoParse)(const char *, char **);
  void (*PQconninfoFree)(conninfo_option_t *);
  void (*PQfreemem)(void *);
  void *(*PQsetNoticeProcessor)(connection_t *, void (*)(void *, const char *), void *);
  result_t *(*PQexec)(connection_t *, const char *);
  result_t *(*PQprepare)(connection_t *, const char *, const char *, int, const uint32_t *);
  result_t *(*PQexecPrepared)(
    connection_t *, const char *, int, const char *const *, const int *, const int *, int);
  int (*PQresultStatus)(const result_t *);
  char *(*PQresultErrorField)(const result_t *, int);
  int (*PQntuples)(const result_t *);
  int (*PQnfields)(const result_t *);
  char *(*PQfname)(const result_t *, int);
  uint32_t (*PQftype)(const result_t *, int);
  char *(*PQgetvalue)(const result_t *, int, int);
  int (*PQgetlength)(const result_t *, int, int);
  int (*PQgetisnull)(const result_t *, int, int);
  char *(*PQcmdTuples)(result_t *);
  char *(*PQcmdStatus)(result_t *);
  void (*PQclear)(result_t *);
  int (*PQputCopyData)(connection_t *, const char *, int);
  int (*PQputCopyEnd)(connection_t *, const char *);
  result_t *(*PQgetResult)(connection_t *);
  int (*PQconsumeInput)(connection_t *);
  void *(*PQnotifies)(connection_t *);
} pq;

static int is_open;

const char *poolflow_pq_open(void) {
  if (is_open) return NULL;
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  // Version 14 added pipelines; an older library with this soname lacks the function.
  if (!dlsym(library, "PQenterPipelineMode")) return "libpq is older than version 14";
#define FIND(name)                                                                                                     \
  do {                                                                                                                 \
    *(void **)&pq.name = dlsym(library, #name);                                                                        \
    if (!pq.name) return "libpq lacks " #name;                                                                         \
  } while (0)
  FIND(PQconnectdbParams);
  FIND(PQfinish);
  FIND(PQstatus);
  FIND(PQtransactionStatus);
  FIND(PQerrorMessage);
  FIND(PQdb);
  FIND(PQhost);
  FIND(PQport);
  FIND(PQuser);
  FIND(PQserverVersion);
  FIND(PQbackendPID);
  FIND(PQconnectionNeedsPassword);
  FIND(PQsocket);
  FIND(PQpingParams);
  FIND(PQconninfoParse);
  FIND(PQconninfoFree);
  FIND(PQfreemem);
  FIND(PQsetNoticeProcessor);
  FIND(PQexec);
  FIND(PQprepare);
  FIND(PQexecPrepared);
  FIND(PQresultStatus);
  FIND(PQresultErrorField);
  FIND(PQntuples);
  FIND(PQnfields);
  FIND(PQfname);
  FIND(PQftype);
  FIND(PQgetvalue);
  FIND(PQgetlength);
  FIND(PQgetisnull);
  FIND(PQcmdTuples);
  FIND(PQcmdStatus);
  FIND(PQclear);
  FIND(PQputCopyData);
  FIND(PQputCopyEnd);
  FIND(PQgetResult);
  FIND(PQconsumeInput);
  FIND(PQnotifies);
#undef FIND
  is_open = 1;
  return NULL;
}

// libpq prints server notices to standard error by default; this notice processor drops them.
static void ignore(void *context, const char *message) {
  (void)context;
  (void)message;
}

connection_t *poolflow_pq_connect(const char *const *keywords, const char *const *values) {
  // The last argument (expand_dbname) makes libpq parse a connection string given as the database name.
  connection_t *connection = pq.PQconnectdbParams(keywords, values, 1);
  if (connection) pq.PQsetNoticeProcessor(connection, ignore, NULL);
  return connection;
}

int poolflow_pq_ping(const char *const *keywords, const char *const *values) {
  return pq.PQpingParams(keywords, values, 1);
}

void poolflow_pq_finish(connection_t *connection) { pq.PQfinish(connection); }
int poolflow_pq_status(const connection_t *connection) { return pq.PQstatus(connection); }
int poolflow_pq_transaction_status(const connection_t *connection) { return pq.PQtransactionStatus(connection); }
const char *poolflow_pq_error(const connection_t *connection) { return pq.PQerrorMessage(connection); }
const char *poolflow_pq_database(const connection_t *connection) { return pq.PQdb(connection); }
const char *poolflow_pq_host(const connection_t *connection) { return pq.PQhost(connection); }
const char *poolflow_pq_port(const connection_t *connection) { return pq.PQport(connection); }
const char *poolflow_pq_user(const connection_t *connection) { return pq.PQuser(connection); }
int poolflow_pq_server_version(const connection_t *connection) { return pq.PQserverVersion(connection); }
int poolflow_pq_backend(const connection_t *connection) { return pq.PQbackendPID(connection); }
int poolflow_pq_needed_password(const connection_t *connection) { return pq.PQconnectionNeedsPassword(connection); }
int poolflow_pq_socket(const connection_t *connection) { return pq.PQsocket(connection); }

char *poolflow_pq_fault_of(const char *conninfo) {
  char *message = NULL;
  conninfo_option_t *options = pq.PQconninfoParse(conninfo, &message);
  if (options) pq.PQconninfoFree(options);
  return message;
}

void poolflow_pq_free(void *memory) { pq.PQfreemem(memory); }

result_t *poolflow_pq_execute(connection_t *connection, const char *script) { return pq.PQexec(connection, script); }

result_t *poolflow_pq_prepare(
  connection_t *connection, const char *name, const char *sql, int count, const uint32_t *types) {
  return pq.PQprepare(connection, name, sql, count, types);
}

result_t *poolflow_pq_run(
  connection_t *connection, const char *name, int count, const char *const *values, const int *lengths,
  const int *formats) {
  return pq.PQexecPrepared(connection, name, count, values, lengths, formats, 1);
}

int poolflow_pq_result_status(const result_t *result) { return pq.PQresultStatus(result); }
const char *poolflow_pq_result_field(const result_t *result, int field) { return pq.PQresultErrorField(result, field); }
int poolflow_pq_rows(const result_t *result) { return pq.PQntuples(result); }
int poolflow_pq_columns(const result_t *result) { return pq.PQnfields(result); }
const char *poolflow_pq_column_name(const result_t *result, int column) { return pq.PQfname(result, column); }
uint32_t poolflow_pq_column_type(const result_t *result, int column) { return pq.PQftype(result, column); }
const char *poolflow_pq_value(const result_t *result, int row, int column) { return pq.PQgetvalue(result, row, column); }
int poolflow_pq_length(const result_t *result, int row, int column) { return pq.PQgetlength(result, row, column); }
int poolflow_pq_is_null(const result_t *result, int row, int column) { return pq.PQgetisnull(result, row, column); }
const char *poolflow_pq_changed(result_t *result) { return pq.PQcmdTuples(result); }
const char *poolflow_pq_command(result_t *result) { return pq.PQcmdStatus(result); }
void poolflow_pq_clear(result_t *result) { pq.PQclear(result); }

int poolflow_pq_put_copy(connection_t *connection, const char *bytes, int count) {
  return pq.PQputCopyData(connection, bytes, count);
}
int poolflow_pq_end_copy(connection_t *connection, const char *error) { return pq.PQputCopyEnd(connection, error); }
result_t *poolflow_pq_next_result(connection_t *connection) { return pq.PQgetResult(connection); }

// The fields of libpq's PGnotify that are public.
typedef struct {
  char *channel;
  int session;
  char *words;
} call_t;

int poolflow_pq_take_calls(
    connection_t *connection, void (*heard)(void *context, const char *words), void *context) {
  if (!pq.PQconsumeInput(connection)) return -1;
  int calls = 0;
  call_t *call;
  while ((call = pq.PQnotifies(connection))) {
    calls++;
    heard(context, call->words);
    pq.PQfreemem(call);
  }
  return calls;
}
